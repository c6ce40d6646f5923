import { join } from 'node:path';
import { diskCode } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { Box } from './box.ts';
import { discard } from './files.ts';
import { orFault } from './mailbox-fault.ts';

/**
 * Makes the directories of a mailbox, 0700, and says in one sentence why it cannot be used: a link, a directory that others may write to or own, or a
 * file system without hard links (signals.md, Files and head).
 */
export const openDirectories = (box: Box): Fault | null => {
  return orFault('the mailbox cannot be opened', () => {
    const { disk, paths } = box;
    for (const path of directoriesOf(box)) {
      if (disk.lstat(path) === null) disk.mkdir(path);
      const problem = directoryProblem(box, path);
      if (problem) return problem;
    }
    return probe(box, join(paths.tmp, `${box.owner}~probe-${box.random.hex(8)}`));
  });
};

const directoriesOf = ({ paths }: Box): readonly string[] => [
  paths.directory,
  paths.tmp,
  paths.inputs,
  paths.claimed,
  paths.acks,
  paths.processed,
  paths.rejected,
];

/** Why a directory of the mailbox may not be used, or null. */
export const directoryProblem = (box: Box, path: string): Fault | null => {
  const stat = box.disk.lstat(path);
  const fault = (what: string, mend: string): Fault => ({ code: 'mailbox-unsafe', what, where: path, mend });
  if (stat === null) return fault('the directory is gone', 'bring it back, or start the session again');
  if (stat.kind === 'symlink')
    return fault('a symbolic link stands in the place of this directory', 'remove the link');
  if (stat.kind !== 'directory') return fault('this is no directory', 'move the file away');
  if ((stat.mode & 0o022) !== 0) return fault('others may write to this directory', `run chmod go-w ${path}`);
  return null;
};

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** A file of ours tells who we are and whether `link` works here. */
const probe = (box: Box, path: string): Fault | null => {
  const { disk } = box;
  const handle = disk.openExclusive(path);
  const second = `${path}-2`;
  try {
    const { uid } = disk.stat(handle);
    disk.link(path, second);
    const foreign = directoriesOf(box).find((each) => disk.lstat(each)?.uid !== uid);
    if (foreign === undefined) return null;
    return {
      code: 'mailbox-unsafe',
      what: 'this directory belongs to another user',
      where: foreign,
      mend: 'run as that user, or give it to this one',
    };
  } catch (error) {
    if (!noLinks.has(diskCode(error))) throw error;
    return {
      code: 'mailbox-no-links',
      what: 'this file system has no hard links, which the mailbox needs',
      where: box.paths.directory,
      mend: 'put the workspace on a local disk',
    };
  } finally {
    disk.close(handle);
    discard(box, path);
    discard(box, second);
  }
};
