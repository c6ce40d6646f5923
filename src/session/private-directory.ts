import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { SessionPaths } from './paths.ts';

/**
 * The reason why no session may be kept here, or `null`. A user with write access to the directory can make the program run anything, and a link
 * leads to an unintended place (src/session/README.md, Writing). Missing directories are created private later. The mailbox checks its own directories.
 */
export const sessionDirectoryFault = (
  disk: Disk,
  { root, directory }: Pick<SessionPaths, 'root' | 'directory'>,
): Fault | null => {
  for (const path of [root, directory]) {
    const stat = disk.lstat(path);
    if (stat === null) return null;
    const fault = (what: string, hint: string): Fault => ({
      code: 'session-unsafe',
      what,
      where: path,
      hint,
    });
    if (stat.kind === 'symlink')
      return fault('there is a symbolic link in place of this directory', 'remove the link');
    if (stat.kind !== 'directory') return fault('this is not a directory', 'move it elsewhere');
    if ((stat.mode & 0o022) !== 0)
      return fault('others can write to this directory', `run chmod go-w ${path}`);
  }
  return null;
};
