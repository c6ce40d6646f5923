import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { DiskError } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import { createCallCostCount } from '../../observability/statistics/count-call-costs.ts';
import { createDurationCount } from '../../observability/statistics/count-durations.ts';
import type { Counter } from '../../observability/statistics/counter.ts';
import { countJournal } from '../../observability/statistics/read-statistics.ts';
import { type Earlier, nothingEarlier } from '../../pipeline/scheduling/task-times.ts';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../../session/paths.ts';

/** How long tasks took in the newest sessions of the workspace: what runs again is known, and the rest is guessed from it. */
export const earlierTimes = (disk: Disk, { workspace, session }: Of): Earlier =>
  countEarlier(disk, { workspace, session }, createDurationCount()) ?? nothingEarlier;

/** What one call of a model cost on average in the newest sessions of the workspace; `null` where no agent reported a cost. */
export const earlierCallCost = (disk: Disk, workspace: string): CallCost =>
  countEarlier(disk, { workspace, session: '' }, createCallCostCount());

type Of = Pick<SessionPaths, 'workspace' | 'session'>;
export type CallCost = ReturnType<ReturnType<typeof createCallCostCount>['result']>;

/** Counts the newest sessions of the workspace but this one. A start does not wait for long journals, and what cannot be read says nothing: `null`. */
const countEarlier = <T>(disk: Disk, { workspace, session }: Of, counter: Counter<T>): T | null => {
  const take = {
    ...counter,
    take: (event: Parameters<Counter<T>['take']>[0]) => counter.take(event, Date.parse(event.at)),
  };
  try {
    const names = namesIn(disk, join(workspace, '.ralph-sessions'));
    const earlier = names
      .filter((name) => sessionIdPattern.test(name) && name !== session)
      .slice(-mostSessions);
    for (const name of earlier) {
      const { journal } = sessionPaths(workspace, name);
      const stat = disk.lstat(journal);
      if (stat?.kind === 'file' && stat.size <= mostBytes) countJournal(disk, journal, take);
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return null;
  }
  return counter.result();
};

const mostSessions = 5;
const mostBytes = 4 * 1024 * 1024;
