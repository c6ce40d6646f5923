import { join, relative } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { type Fault, toFault } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import { replaceFile, writeNew } from '../../base/replace-file.ts';
import { brokenParents, type ControlChange } from './control-files.ts';

/** Where files are restored: a session, or a conversation. */
export interface Restoring {
  readonly options: {
    readonly disk: Disk;
    readonly random: Random;
    /** Absolute. The other texts are kept in `kept` below `directory`. */
    readonly paths: { readonly workspace: string; readonly directory: string };
  };
  /** The worktree that holds the files, absolute. Absent: they are in the workspace. */
  readonly worktree?: string;
}

const nameOf = ({ options, worktree }: Restoring, path: string): string =>
  relative(worktree ?? options.paths.workspace, path);

/** Restores one file and keeps the other text. Returns the problem to report. `number` names the kept text. */
export const restoreFile = (
  core: Restoring,
  code: 'control-file' | 'forbidden-file',
  change: ControlChange,
  who: string,
  number: number,
): Fault => {
  const { disk, random, paths } = core.options;
  const name = nameOf(core, change.path);
  const did = change.after === null ? 'deleted' : change.before === null ? 'added' : 'changed';
  try {
    const file = keepAside(core, change, number);
    bringBack(disk, change, (bytes) => replaceFile(disk, random, change.path, bytes));
    const aside = file === null ? '' : `; the ${did} text is kept in ${relative(paths.workspace, file)}`;
    return {
      code,
      what:
        change.before?.kind === 'opaque'
          ? `${who} ${did} ${name}, which cannot be restored${aside}`
          : `${who} ${did} ${name}; it was ${change.before === null ? 'removed' : 'restored'}${aside}`,
      where: change.path,
      hint: takeOver(core, file, change.path),
    };
  } catch (error) {
    const fault = toFault(error, change.path);
    return {
      ...fault,
      what: `${who} ${did} ${name}, and it could not be ${change.before === null ? 'removed' : 'restored'}: ${fault.what}`,
    };
  }
};

/** How a person makes the other text count: while an agent works it would be taken for the agent's change again. */
export const takeOver = (core: Restoring, file: string | null, path: string): string => {
  const when = core.worktree === undefined ? ' between turns' : ' in your checkout';
  return file === null
    ? `if you want this change, make it yourself${core.worktree === undefined ? when : ''}`
    : `to use it, copy it to ${nameOf(core, path)}${when}`;
};

/** Where the other texts are kept. */
export const keptIn = ({ directory }: Restoring['options']['paths']): string => join(directory, 'kept');

/** Keeps the other text beside the session; a link or a large file is moved there. Returns its file, or `null` where there is none, or the old one is unknown. */
export const keepAside = (
  core: Restoring,
  { path, before, after }: ControlChange,
  number: number,
): string | null => {
  if (after === null || (after.kind === 'opaque' && before?.kind === 'opaque')) return null;
  const { disk, random, paths } = core.options;
  const directory = keptIn(paths);
  disk.mkdir(directory);
  const name = nameOf(core, path).replaceAll('/', '__');
  const file = join(directory, `${random.hex(6)}-${number}-${name}`);
  if (after.kind === 'file') writeNew(disk, random, file, after.bytes);
  else disk.rename(path, file);
  return file;
};

const bringBack = (
  disk: Disk,
  { path, before, after }: ControlChange,
  write: (bytes: Uint8Array) => void,
): void => {
  if (before?.kind === 'opaque') return;
  if (before === null) {
    if (after?.kind === 'file') disk.unlink(path);
    return;
  }
  // A link in place of a directory would redirect our write.
  for (const parent of brokenParents(disk, path)) disk.unlink(parent);
  const slash = path.lastIndexOf('/');
  disk.mkdir(path.slice(0, slash));
  write(before.bytes);
  disk.chmod(path, before.mode);
};
