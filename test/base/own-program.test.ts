import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram, findTyped } from '../../src/base/process/find-program.ts';
import { ownEnvironment, ownPath, ownProgram } from '../../src/base/process/own-program.io.ts';
import { readSources } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const program = (...parts: readonly string[]): string => {
  const file = join(...parts);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
};

const setUp = () => {
  const top = tempDir();
  const repo = join(top, 'repo');
  const planted = program(repo, 'node_modules/.bin/git');
  const good = program(top, 'bin/git');
  execFileSync('git', ['init', '-q', repo]);
  return { top, repo, planted: dirname(planted), good, bin: dirname(good) };
};

test('a program of ours is not found by a relative entry of the PATH, nor in the repository', () => {
  const { top, repo, planted, good, bin } = setUp();
  const path = `node_modules/.bin:.::${planted}:${bin}`;
  mkdirSync(join(repo, 'packages/one'), { recursive: true });
  symlinkSync(repo, join(top, 'link'));
  for (const place of [repo, join(repo, 'packages/one'), join(top, 'link')])
    expect([place, ownProgram('git', path, [place])]).toEqual([place, good]);
  expect(ownProgram('git', `${join(top, 'link/node_modules/.bin')}:${bin}`, [repo])).toBe(good);
  expect(ownProgram('git', planted, [repo])).toBeNull();
  expect(ownPath(path, [repo])).toBe(bin);
  expect(ownEnvironment({ PATH: path, A: '1' }, [repo])).toEqual({ PATH: bin, A: '1' });
});

test('nor in the repository of a linked worktree', () => {
  const { top, repo, planted, good, bin } = setUp();
  const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'i'];
  execFileSync('git', commit, { cwd: repo });
  execFileSync('git', ['worktree', 'add', '-q', join(top, 'linked')], { cwd: repo });
  expect(ownProgram('git', `${planted}:${bin}`, [join(top, 'linked')])).toBe(good);
});

test("what is no file that may be run is passed over, and a path is somebody's choice", () => {
  const { top, repo, good, bin } = setUp();
  const other = join(top, 'other');
  mkdirSync(join(other, 'git'), { recursive: true });
  writeFileSync(join(top, 'text'), '');
  expect(ownProgram('git', `${other}:${bin}`, [repo])).toBe(good);
  expect(ownProgram('./git', bin, [repo])).toBe('./git');
  // The home directory, and all around it, holds the person's own programs.
  expect(ownProgram('git', bin, ['/'])).toBe(good);
});

test('a program that a shell will start in the workspace is looked for on the whole PATH', () => {
  const { repo, planted } = setUp();
  const isThere = (file: string): boolean => file === join(planted, 'git');
  expect(findTyped('git', repo, 'node_modules/.bin', isThere)).toBe(join(planted, 'git'));
  expect(findProgram('git', repo, { PATH: `node_modules/.bin:${planted}` }, isThere)).toBeNull();
});

test('nothing in src starts a program by a bare name: it would be looked for on the whole PATH', () => {
  const starts =
    /(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync|execa|exec|execSync|promisify\(execFile\))\(\s*['"`](?!\/)/;
  expect(
    readSources()
      .filter(({ path, text }) => path.startsWith('src/') && starts.test(text))
      .map(({ path }) => path),
  ).toEqual([]);
});
