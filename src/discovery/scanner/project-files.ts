import { dirname, join } from 'node:path';
import { type Disk, DiskError, diskCode } from '../../base/disk.ts';

/** Files of a project as text, each read at most once. */
interface ProjectFiles {
  /** Gives `null` if the file is missing, behind a link, no regular file, too large, binary or unreadable. */
  readonly read: (path: string) => string | null;
  /** The number of existing files that were not read, and the first of them. */
  readonly skipped: () => { readonly count: number; readonly first: readonly string[] };
}

const mostBytes = 1_048_576;
const lookedAtForNul = 8_192;
const mostNamed = 10;

/** Reads files below `root`. Never follows a link and never hangs on a FIFO. Bytes that are not UTF-8 become U+FFFD. */
export const createProjectFiles = (disk: Disk, root: string): ProjectFiles => {
  const folders = new Map<string, boolean>([['.', true]]);
  const skipped: string[] = [];
  const decoder = new TextDecoder();
  /** From the root down, because a link in a text may name thousands of folders. */
  const isRealFolder = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    for (let end = folder.indexOf('/'); ; end = folder.indexOf('/', end + 1)) {
      const part = end < 0 ? folder : folder.slice(0, end);
      const real = folders.get(part) ?? disk.lstat(join(root, part))?.kind === 'directory';
      folders.set(part, real);
      if (!real || end < 0) {
        folders.set(folder, real);
        return real;
      }
    }
  };
  const read = (path: string): string | null => {
    if (isOurs(path)) return null;
    try {
      if (!isRealFolder(dirname(path))) return null;
      const bytes = readWhole(disk, join(root, path));
      if (bytes !== null) return decoder.decode(bytes);
    } catch (error) {
      if (diskCode(error) === 'ENOENT') return null;
      if (diskCode(error) === '') throw error;
    }
    skipped.push(path);
    return null;
  };
  return {
    read,
    skipped: () => {
      const names = [...new Set(skipped)];
      return { count: names.length, first: names.slice(0, mostNamed) };
    },
  };
};

/** This program's own files in a workspace, which are never read. */
const isOurs = (path: string): boolean => /(?:^|\/)\.ralph(?:-sessions)?\//.test(path);

const readWhole = (disk: Disk, path: string): Uint8Array | null => {
  const handle = disk.openRead(path);
  try {
    const { kind, size } = disk.stat(handle);
    if (kind === 'directory') throw new DiskError('ENOENT', 'read', path);
    if (kind !== 'file' || size > mostBytes) return null;
    const bytes = disk.read(handle, 0, size);
    return bytes.subarray(0, lookedAtForNul).includes(0) ? null : bytes;
  } finally {
    disk.close(handle);
  }
};
