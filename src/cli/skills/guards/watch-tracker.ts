import { join } from 'node:path';
import { namesIn } from '../../../base/names-in.ts';
import { safe } from '../../../base/safe.ts';
import type { SkillRun } from '../skill-run.ts';

/** Where issues of the workspace are files (`src/issues/trackers/native.ts`). */
const folder = '.ralph/issues';

/** Each file of the tracker with a mark that changes with it. */
type TrackerFiles = ReadonlyMap<string, string>;

export const trackerFiles = ({ world: { disk }, workspace }: SkillRun): TrackerFiles =>
  new Map(
    namesIn(disk, join(workspace, folder)).flatMap((name) => {
      const stat = disk.lstat(join(workspace, folder, name));
      return stat === null ? [] : [[name, `${stat.ino} ${stat.size} ${stat.mtimeMs}`] as const];
    }),
  );

/**
 * Says which files of the tracker changed while the agent replied: an agent can write an issue as a file, without asking. A session or a person may have
 * done it as well, so nothing is brought back.
 */
export const tellTrackerChanges = (run: SkillRun, before: TrackerFiles): void => {
  const after = trackerFiles(run);
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
  if (changed.length === 0) return;
  const rest = changed.length > 5 ? ` and ${changed.length - 5} more` : '';
  const text = `Your issues changed while the agent replied: ${changed.slice(0, 5).map(safe).join(', ')}${rest}. Check them: this conversation did not make these changes.`;
  run.journal.add({ type: 'said', by: 'program', text });
};
