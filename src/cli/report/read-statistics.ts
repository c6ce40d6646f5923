import { join } from 'node:path';
import { namesIn } from '../../base/names-in.ts';
import { countJournal } from '../../observability/statistics/read-statistics.ts';
import { createStatistics, type Statistics } from '../../observability/statistics/statistics.ts';
import { sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/**
 * Counts every journal of the workspace, the oldest session first, and lets a screen draw between two of them. `foreign`: sessions without
 * one.
 */
export const readStatistics = async (
  { disk, clock }: World,
  workspace: string,
): Promise<{ readonly found: Statistics; readonly foreign: number }> => {
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
  return { found: statistics.result(), foreign };
};
