import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceWith } from './workspace.ts';

/** Runs git in a directory and gives what it printed. */
export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' });

/** A scratch repository of somebody called kim, with these files in its first commit; removed when the test has ended. */
export const repositoryWith = (files: Readonly<Record<string, string>>): string => {
  const path = workspaceWith(files);
  commitAsKim(path);
  return path;
};

/** Makes a repository of somebody called kim of what is there. */
export const commitAsKim = (path: string): void => {
  git(path, 'init', '-q', '-b', 'main');
  // `git config` would be a process for each.
  appendFileSync(join(path, '.git/config'), '[user]\n\tname = kim\n\temail = kim@host\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'first');
};

/** A hook of the repository: lines of a shell script. */
export const writeHook = (path: string, name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(path, '.git/hooks', name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });

/** The files of a commit, sorted. */
export const filesIn = (path: string, commit = 'HEAD'): readonly string[] =>
  git(path, 'show', '--name-only', '--format=', commit).trim().split('\n').sort();
