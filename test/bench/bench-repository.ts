import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git } from '../helpers/repository.ts';

/** Files of a usual project: sessions are measured in a repository of so many. */
export const usualFiles = 3_000;

/** Makes a directory the repository of somebody with these many files, fifty in each of its directories, in its first commit. */
export const makeRepository = (path: string, files: number): void => {
  for (let at = 0; at < files; at += 1) {
    const file = join(path, `d${Math.floor(at / 50)}/file-${at}.txt`);
    if (at % 50 === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `line of file ${at}\n`.repeat(40));
  }
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'config', 'user.name', 'kim');
  git(path, 'config', 'user.email', 'kim@host');
  git(path, 'add', '.');
  git(path, 'commit', '-q', '-m', 'first');
};
