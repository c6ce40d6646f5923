import { join } from 'node:path';
import { type Clock, formatTimestamp } from '../base/clock.ts';
import { type Disk, diskCode } from '../base/disk.ts';
import type { Random } from '../base/random.ts';
import { flushingOnce, writeNew } from '../base/replace-file.ts';
import { sweepTemporaries } from '../base/temporary-file.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import { formatTask } from '../tasks/task-file.ts';

interface Ports {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly paths: SessionPaths;
}

/** Creates the directories that a session needs before its first journal line, and the `.gitignore` that keeps runs out of `git status`. */
export const prepareSession = ({ disk, random, paths }: Ports): void => {
  for (const directory of [paths.root, paths.directory, paths.logs, paths.lock]) disk.mkdir(directory);
  try {
    if (disk.lstat(join(paths.root, '.gitignore')) === null)
      writeNew(disk, random, join(paths.root, '.gitignore'), '*\n', paths.directory);
  } catch (error) {
    // Another session that starts now writes the same.
    if (diskCode(error) !== 'EEXIST') throw error;
  }
};

/** Creates the directories of an iteration and the files of inherited tasks. */
export const prepareIteration = (
  { disk, clock, random, paths }: Ports,
  state: SessionState,
  iteration: number,
): void => {
  const own = paths.iteration(iteration);
  for (const directory of [own.tasks, own.reports, own.questions, own.knowledge, own.feedbacks])
    disk.mkdir(directory);
  const now = formatTimestamp(clock);
  flushingOnce(disk, (batch) => {
    for (const { definition } of state.tasks.values()) {
      if (definition.iteration !== iteration || disk.lstat(own.task(definition.id)) !== null) continue;
      const inheritedBy = [...state.tasks.values()]
        .filter((other) => other.definition.blockedBy.includes(definition.id))
        .map((other) => other.definition.id);
      const text = formatTask(definition, { createdAt: now, updatedAt: now, inheritedBy });
      writeNew(batch, random, own.task(definition.id), text);
    }
  });
};

/** Removes half-done writes of a dead engine from the session's directories. Mailbox and lock clean up their own. */
export const sweepLeftovers = ({ disk, paths }: Pick<Ports, 'disk' | 'paths'>): void => {
  const sweep = (directory: string): void => {
    sweepTemporaries(disk, directory);
    for (const name of disk.readdir(directory)) {
      const path = join(directory, name);
      if (path !== paths.signals && path !== paths.lock && disk.lstat(path)?.kind === 'directory')
        sweep(path);
    }
  };
  sweep(paths.directory);
};
