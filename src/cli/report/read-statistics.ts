import { join } from 'node:path';
import { namesIn } from '../../base/names-in.ts';
import { countJournal } from '../../observability/statistics/read-statistics.ts';
import { createStatistics, type Statistics } from '../../observability/statistics/statistics.ts';
import { sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import { countTalks, type TalkCounts } from '../../skills/talk/count-talks.ts';
import { storedTalks } from '../../skills/talk/talk-journal.ts';
import type { World } from '../world.ts';

interface FoundStatistics {
  readonly found: Statistics;
  /** Sessions without a journal. */
  readonly foreign: number;
  /** Conversations with a skill, which are no sessions. */
  readonly conversations: readonly TalkCounts[];
}

/** Counts every journal of the workspace, the oldest session first, and lets a screen draw between two of them. */
export const readStatistics = async (world: World, workspace: string): Promise<FoundStatistics> => {
  const { disk, clock } = world;
  const dayOf = (ms: number): string =>
    new Date(ms + clock.offsetMinutes(ms) * 60_000).toISOString().slice(0, 10);
  const statistics = createStatistics(dayOf);
  let foreign = 0;
  for (const session of namesIn(disk, join(workspace, '.ralph-sessions')).filter((name) =>
    sessionIdPattern.test(name),
  )) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    const { journal } = sessionPaths(workspace, session);
    if (disk.lstat(journal)?.kind === 'file') countJournal(disk, journal, statistics);
    else foreign += 1;
  }
  const conversations = countTalks(storedTalks({ ...world, workspace }).map(({ talk }) => talk));
  return { found: statistics.result(), foreign, conversations };
};
