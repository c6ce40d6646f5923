import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { SessionPaths } from './paths.ts';

/**
 * Why no session may be kept here, or `null`: whoever can write into its directory can have anything run, and a link leads to a place that nobody chose
 * (session-format.md, Writing). What is not there yet is made private. The mailbox looks after its own.
 */
export const sessionDirectoryFault = (
  disk: Disk,
  { root, directory }: Pick<SessionPaths, 'root' | 'directory'>,
): Fault | null => {
  for (const path of [root, directory]) {
    const stat = disk.lstat(path);
    if (stat === null) return null;
    const fault = (what: string, mend: string): Fault => ({
      code: 'session-unsafe',
      what,
      where: path,
      mend,
    });
    if (stat.kind === 'symlink')
      return fault('a symbolic link stands in the place of this directory', 'remove the link');
    if (stat.kind !== 'directory') return fault('this is no directory', 'move it away');
    if ((stat.mode & 0o022) !== 0)
      return fault('others may write to this directory', `run chmod go-w ${path}`);
  }
  return null;
};
