import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What not everybody may read. */
export interface ClosedPaths {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/**
 * Everything below these directories that not every account of this machine may read. A fence of an account without rights would show what this account or
 * its groups may read. Links are passed over: where they end is closed by itself, or not seen.
 */
export const closedPaths = (...roots: readonly string[]): ClosedPaths => {
  const files: string[] = [];
  const directories: string[] = [];
  const look = (path: string): void => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      if ((stat.mode & forAll.directory) !== forAll.directory) directories.push(path);
      else for (const name of namesIn(path)) look(join(path, name));
    } else if (stat?.isFile() && (stat.mode & forAll.file) === 0) files.push(path);
  };
  for (const root of roots) look(root);
  return { files, directories };
};

/** The bits with which every account may look into a directory, and read a file. */
const forAll = { directory: 0o005, file: 0o004 };

/** Nothing where this account may not look: then nobody inside may either. */
const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
