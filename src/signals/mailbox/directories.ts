import { join } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import type { Fault } from '../../base/fault.ts';
import { discard } from './files.ts';
import { orFault } from './mailbox-fault.ts';
import type { MailboxParts } from './mailbox-parts.ts';

/**
 * Creates the directories of a mailbox, 0700, or returns one sentence about why it is unusable: a link, a directory that others own or may write
 * to, or a file system without hard links (src/signals/README.md, Files).
 */
export const openDirectories = (parts: MailboxParts): Fault | null => {
  return orFault('the mailbox cannot be opened', () => {
    const { disk, paths } = parts;
    for (const path of directoriesOf(parts)) {
      if (disk.lstat(path) === null) disk.mkdir(path);
      const problem = directoryProblem(parts, path);
      if (problem) return problem;
    }
    return probe(parts, join(paths.tmp, `${parts.owner}~probe-${parts.random.hex(8)}`));
  });
};

const directoriesOf = ({ paths }: MailboxParts): readonly string[] => [
  paths.directory,
  paths.tmp,
  paths.inputs,
  paths.claimed,
  paths.acks,
  paths.processed,
  paths.rejected,
];

/** The reason not to use a directory of the mailbox, or null. */
export const directoryProblem = (parts: MailboxParts, path: string): Fault | null => {
  const stat = parts.disk.lstat(path);
  const fault = (what: string, hint: string): Fault => ({ code: 'mailbox-unsafe', what, where: path, hint });
  if (stat === null) return fault('the directory no longer exists', 'restore it, or start the session again');
  if (stat.kind === 'symlink')
    return fault('there is a symbolic link in place of this directory', 'remove the link');
  if (stat.kind !== 'directory') return fault('this is not a directory', 'move the file elsewhere');
  if ((stat.mode & 0o022) !== 0) return fault('others can write to this directory', `run chmod go-w ${path}`);
  return null;
};

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** Creates a file to find out our user and whether `link` works here. */
const probe = (parts: MailboxParts, path: string): Fault | null => {
  const { disk } = parts;
  const handle = disk.openExclusive(path);
  const second = `${path}-2`;
  try {
    const { uid } = disk.stat(handle);
    disk.link(path, second);
    const foreign = directoriesOf(parts).find((each) => disk.lstat(each)?.uid !== uid);
    if (foreign === undefined) return null;
    return {
      code: 'mailbox-unsafe',
      what: 'this directory belongs to another user',
      where: foreign,
      hint: 'run as that user, or change its owner to the current user',
    };
  } catch (error) {
    if (!noLinks.has(diskCode(error))) throw error;
    return {
      code: 'mailbox-no-links',
      what: 'this file system does not support hard links, which the mailbox needs',
      where: parts.paths.directory,
      hint: 'put the workspace on a local disk',
    };
  } finally {
    disk.close(handle);
    discard(parts, path);
    discard(parts, second);
  }
};
