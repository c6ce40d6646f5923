import { join, relative } from 'node:path';
import { sha256 } from '../../../base/hash.io.ts';
import { safe } from '../../../base/safe.ts';
import {
  type ControlChange,
  type ControlFile,
  type ControlFiles,
  controlChanges,
  readControl,
  readControlFiles,
} from '../../../engine/guards/control-files.ts';
import { mayBeByHand } from '../../../engine/guards/issue-changes.ts';
import { type Restoring, restoreFile } from '../../../engine/guards/restore-file.ts';
import { walk } from '../../../engine/turns/workspace-marks.ts';
import { isIssueFile, issuePlaces } from '../../../issues/trackers/tracker-name.ts';
import { isWritten } from '../../../issues/trackers/written-files.ts';
import { forbiddenPath } from '../../../session/guidance/guards.ts';
import { writtenFiles } from '../../state-directory.ts';
import { recallTrust } from '../../trust/trust-memory.ts';
import type { SkillRun } from '../skill-run.ts';

/** Most changes that are named one by one. */
const mostTold = 20;

/**
 * Runs one reply of an agent that works in `directory`, and brings back what it changed there or in the workspace without being allowed to, whatever it
 * reported: files that the person's guidance forbids, issues, and those by which it could grant itself more rights. The other text is kept beside the
 * conversation, and nothing of the agent's work is taken before the person answers.
 */
export const guardFiles = async <T>(
  run: SkillRun,
  directory: string,
  reply: () => Promise<T>,
): Promise<T> => {
  const roots = [...new Set([run.workspace, directory])];
  const before = roots.map((root) => pictureOf(run, root));
  try {
    return await reply();
  } finally {
    for (const [index, root] of roots.entries()) {
      const known = before[index] ?? new Map();
      bringBack(run, root, controlChanges(known, pictureOf(run, root, known)));
    }
  }
};

const pictureOf = (run: SkillRun, root: string, known?: ControlFiles): ControlFiles => {
  const { disk } = run.world;
  const { tracker } = run.settings.flow;
  const issues = { places: issuePlaces(tracker), isOne: (path: string) => isIssueFile(tracker, path) };
  const files = new Map(readControlFiles(disk, root, known, issues));
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
  // A tracker's file that another program writes right now is not the agent's.
  const foreign = changes.filter(
    (change) => !isAgreed(run, change) && world.disk.lstat(`${change.path}.lock`) === null,
  );
  const harm = foreign.filter((change) => !mayBeByHand(workspace, change));
  tellByHand(
    run,
    foreign.filter((change) => mayBeByHand(workspace, change)),
  );
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

/** Nothing tells who did it: it stays. */
const tellByHand = ({ journal, workspace }: SkillRun, changes: readonly ControlChange[]): void => {
  if (changes.length === 0) return;
  const names = changes.map(({ path }) => safe(relative(workspace, path)));
  const rest = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const text = `Your issues changed while the agent replied: ${names.slice(0, 5).join(', ')}${rest}. Check them: this conversation did not make these changes.`;
  journal.add({ type: 'said', by: 'program', text });
};

/** The person accepted these bytes with one of our commands meanwhile, or one of our programs wrote them into a tracker's file. */
const isAgreed = ({ cli, world, workspace }: SkillRun, { path, after }: ControlChange): boolean =>
  after?.kind === 'file' &&
  (recallTrust(cli.env, world, workspace, relative(workspace, path))?.sha256 === sha256(after.bytes) ||
    isWritten(world, writtenFiles(cli.env), path, after.bytes));
