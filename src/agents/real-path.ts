import { type Disk, diskCode } from '../base/disk.ts';

/** More links than this count as a loop, as on Linux. */
const mostLinks = 40;

/**
 * The place that an absolute path leads to, with every link resolved. A name that does not exist yet stays below its nearest existing parent, so that a
 * new file is judged by the directory it would be made in, and a dangling link by its target. `null` where that cannot be found out: a loop, an
 * unreadable directory, a name that no file can have.
 */
export const realPath = (disk: Pick<Disk, 'lstat' | 'readlink'>, path: string): string | null => {
  const left = path.split('/');
  let links = 0;
  let at = '';
  try {
    while (left.length > 0) {
      const name = left.shift() ?? '';
      if (name === '' || name === '.') continue;
      if (name === '..') {
        at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
        continue;
      }
      const next = `${at}/${name}`;
      if (disk.lstat(next)?.kind !== 'symlink') at = next;
      else {
        links += 1;
        if (links > mostLinks) return null;
        const target = disk.readlink(next);
        if (target.startsWith('/')) at = '';
        left.unshift(...target.split('/'));
      }
    }
    return at === '' ? '/' : at;
  } catch (error) {
    if (diskCode(error) === '') throw error;
    return null;
  }
};
