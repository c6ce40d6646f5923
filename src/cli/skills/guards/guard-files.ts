import { join, relative } from 'node:path';
import { sha256 } from '../../../base/hash.io.ts';
import {
  type ControlChange,
  type ControlFile,
  type ControlFiles,
  controlChanges,
  readControl,
  readControlFiles,
} from '../../../engine/guards/control-files.ts';
import { type Restoring, restoreFile } from '../../../engine/guards/restore-file.ts';
import { walk } from '../../../engine/turns/workspace-marks.ts';
import { forbiddenPath } from '../../../session/guidance/guards.ts';
import { recallTrust } from '../../trust/trust-memory.ts';
import type { SkillRun } from '../skill-run.ts';
import { tellTrackerChanges, trackerFiles } from './watch-tracker.ts';

/** Most changes that are named one by one. */
const mostTold = 20;

/**
 * Runs one reply of an agent that works in `directory`, and brings back what it changed there or in the workspace without being allowed to, whatever it
 * reported: files that the person's guidance forbids, and those by which it could grant itself more rights. The other text is kept beside the
 * conversation, and nothing of the agent's work is taken before the person answers.
 */
export const guardFiles = async <T>(
  run: SkillRun,
  directory: string,
  reply: () => Promise<T>,
): Promise<T> => {
  const roots = [...new Set([run.workspace, directory])];
  const before = roots.map((root) => pictureOf(run, root));
  const issues = trackerFiles(run);
  try {
    return await reply();
  } finally {
    for (const [index, root] of roots.entries()) {
      const known = before[index] ?? new Map();
      bringBack(run, root, controlChanges(known, pictureOf(run, root, known)));
    }
    tellTrackerChanges(run, issues);
  }
};

const pictureOf = (run: SkillRun, root: string, known?: ControlFiles): ControlFiles => {
  const { disk } = run.world;
  const files = new Map(readControlFiles(disk, root, known));
  if (!run.guidance.forbidden.some((item) => typeof item !== 'string' && 'path' in item)) return files;
  for (const path of walk(disk, root)) {
    if (forbiddenPath(run.guidance, path, root) === null) continue;
    const file = readMarked(run, join(root, path), known?.get(join(root, path)));
    if (file !== null) files.set(join(root, path), file);
  }
  return files;
};

/** A file with its bytes, or with a mark that changes with them. `null`: it is gone. */
const readMarked = (
  { world: { disk } }: SkillRun,
  path: string,
  known: ControlFile | undefined,
): ControlFile | null => {
  const stat = disk.lstat(path);
  if (stat === null) return null;
  const stamp = [stat.kind, stat.ino, stat.size, stat.mode, stat.mtimeMs, stat.ctimeMs].join(' ');
  if (known?.kind === 'file' && known.stamp === stamp) return known;
  const read = readControl(disk, path, stat.mode, stamp);
  return read.kind === 'file' ? { ...read, stamp } : read;
};

const bringBack = (run: SkillRun, root: string, changes: readonly ControlChange[]): void => {
  const { world, journal, workspace } = run;
  const restoring: Restoring = {
    options: { ...world, paths: { workspace, directory: journal.directory } },
    ...(root === workspace ? {} : { worktree: root }),
  };
  const harm = changes.filter((change) => !isAgreed(run, change));
  for (const [index, change] of harm.entries()) {
    const { what } = restoreFile(restoring, 'forbidden-file', change, 'The agent', index + 1);
    if (index < mostTold) journal.add({ type: 'overstepped', text: `${what}.` });
  }
  if (harm.length > mostTold)
    journal.add({
      type: 'overstepped',
      text: `The agent changed ${harm.length - mostTold} more files that it is not allowed to change; they were restored.`,
    });
};

/** The person accepted these bytes with one of our commands meanwhile. */
const isAgreed = ({ cli, world, workspace }: SkillRun, { path, after }: ControlChange): boolean =>
  after?.kind === 'file' &&
  recallTrust(cli.env, world, workspace, relative(workspace, path))?.sha256 === sha256(after.bytes);
