import { type Disk, diskCode } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';

/** Reads files of foreign sessions for display, and reports unreadable ones. */
export interface LenientReader {
  /** `null` when the file is missing or unreadable. */
  text(path: string): string | null;
  /** Empty when there is no such directory. */
  names(path: string): string[];
}

/** Adds each problem to `problems` as one sentence. A missing file is no problem. */
export const createLenientReader = (disk: Disk, problems: Fault[]): LenientReader => {
  const attempt = <T>(path: string, otherwise: T, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      const code = diskCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        problems.push({ code: 'unreadable', what: reason(code), where: path });
      return otherwise;
    }
  };
  return {
    text: (path) => attempt(path, null, () => readText(disk, path)),
    names: (path) => attempt(path, [], () => disk.readdir(path)),
  };
};

const reason = (code: string): string => {
  const known: Readonly<Record<string, string>> = {
    ELOOP: 'is a symbolic link, which is not followed',
    EFBIG: 'is too large to be read',
    EISDIR: 'is a directory',
    EINVAL: 'is not a regular file',
    EACCES: 'cannot be read by this account',
  };
  return known[code] ?? `cannot be read (${code === '' ? 'unexpected' : code})`;
};
