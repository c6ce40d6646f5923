import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What not everybody may read. */
export interface ClosedPaths {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/**
 * Everything below a directory that not every account of this machine may read, such as `/etc/shadow` and host keys. A fence of root would show it, because
 * inside one is the same account. Links are passed over: where they end is closed by itself, or not seen.
 */
export const closedPaths = (root: string): ClosedPaths => {
  const files: string[] = [];
  const directories: string[] = [];
  const walk = (directory: string): void => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
      if (entry.isDirectory()) {
        if ((mode & forAll.directory) === forAll.directory) walk(path);
        else directories.push(path);
      } else if (entry.isFile() && (mode & forAll.file) === 0) files.push(path);
    }
  };
  walk(root);
  return { files, directories };
};

/** The bits with which every account may look into a directory, and read a file. */
const forAll = { directory: 0o005, file: 0o004 };

/** Nothing where this account may not look: then nobody inside may either. */
const entriesOf = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
};
