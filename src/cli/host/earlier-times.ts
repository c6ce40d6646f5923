import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import { createDurationCount } from '../../observability/statistics/count-durations.ts';
import { countJournal } from '../../observability/statistics/read-statistics.ts';
import { type Earlier, nothingEarlier } from '../../pipeline/scheduling/task-times.ts';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/**
 * How long tasks took in the newest sessions of the workspace: what runs again is known, and the rest is guessed from it. A start does not wait for
 * long journals, and what cannot be read says nothing.
 */
export const earlierTimes = (
  { disk }: Pick<World, 'disk'>,
  { workspace, session }: Pick<SessionPaths, 'workspace' | 'session'>,
): Earlier => {
  const counter = createDurationCount();
  const take = {
    ...counter,
    take: (event: Parameters<typeof counter.take>[0]) => counter.take(event, Date.parse(event.at)),
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
    return nothingEarlier;
  }
  return counter.result();
};

const mostSessions = 5;
const mostBytes = 4 * 1024 * 1024;
