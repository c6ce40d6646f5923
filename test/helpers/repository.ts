import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceWith } from './workspace.ts';

/** Runs git in a directory and gives what it printed. */
export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' });

/** A scratch repository of somebody called kim, with these files in its first commit; removed when the test has ended. */
export const repositoryWith = (files: Readonly<Record<string, string>>): string => {
  const path = workspaceWith(files);
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'config', 'user.name', 'kim');
  git(path, 'config', 'user.email', 'kim@host');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'first');
  return path;
};

/** A hook of the repository: lines of a shell script. */
export const writeHook = (path: string, name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(path, '.git/hooks', name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });

/** The files of a commit, sorted. */
export const filesIn = (path: string, commit = 'HEAD'): readonly string[] =>
  git(path, 'show', '--name-only', '--format=', commit).trim().split('\n').sort();
