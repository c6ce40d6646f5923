import { dirname, join, relative } from 'node:path';
import { replaceFile, writeNew } from '../../base/replace-file.ts';
import { type Scan, scanFileName, scanLines } from '../../discovery/records/scan-file.ts';
import type { World } from '../world.ts';

/** Path of the records of a scan. */
export const scanFileIn = (projectDir: string): string => join(projectDir, scanFileName);

/**
 * Replaces the records as a whole: a reader or a crash sees the old file or the new one. Beside them is a `.gitignore`, so that records and
 * backups do not show in `git status`. A person's own `.gitignore` stays.
 */
export const writeScan = (
  { disk, random }: Pick<World, 'disk' | 'random'>,
  scan: Scan,
  file: string,
): void => {
  const directory = dirname(file);
  disk.mkdir(directory);
  const ignore = join(directory, '.gitignore');
  const isOurs = relative(dirname(directory), file) === scanFileName;
  if (isOurs && disk.lstat(ignore) === null) writeNew(disk, random, ignore, ignored);
  replaceFile(disk, random, file, `${scanLines(scan).join('\n')}\n`);
};

/** Configuration, guidance and acknowledged findings are a person's to commit. */
const ignored = '.gitignore\nconstraint-scan.jsonl\n*.bak\n';

/** A path as shown to a person in `from`. */
export const shownPath = (from: string, file: string): string => {
  const way = relative(from, file);
  return way.startsWith('..') || way === '' ? file : way;
};
