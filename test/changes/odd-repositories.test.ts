import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGit } from '../../src/changes/git/git.io.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  gitEnvironment,
  personGit,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const template = templateOfFile();

const first = (task: string) => ({ task, attempt: 1 });

const doTask = async (
  session: SessionChanges,
  task: string,
  work: (directory: string) => void,
): Promise<readonly string[]> => {
  const { directory } = value(await session.prepare(first(task)));
  value(await session.snapshot(first(task), 'before'));
  work(directory);
  const { problems } = value(await session.snapshot(first(task), 'after'));
  value(await session.commit(first(task), task));
  return problems;
};

const fileIn = ({ repo }: ChangesWorld, commit: string, path: string): string =>
  personGit(repo, 'show', `${commit}:${path}`);

test('line ends that core.safecrlf forbids to change keep nothing from being recorded', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'config', 'core.autocrlf', 'input');
  personGit(world.repo, 'config', 'core.safecrlf', 'true');
  const session = await world.open();
  await doTask(session, 'crlf', (directory) => writeFiles(directory, { 'n.txt': 'a\r\nb\r\n' }));
  const merged = await session.merge(first('crlf'));
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  expect(fileIn(world, merged.commit, 'n.txt')).toBe('a\nb\n');
});

test('files outside a sparse checkout that a task writes are recorded, also beside one that cannot be', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'sparse-checkout', 'set', 'src');
  const session = await world.open();
  const problems = await doTask(session, 'out', (directory) => {
    expect(existsSync(join(directory, 'src/c.txt'))).toBe(true);
    writeFiles(directory, { 'lib/new.txt': 'n\n', 'lib/closed/x.txt': 'x\n', 'src/d.txt': 'd\n' });
    // One that cannot be added leads to the other way of adding files.
    personGit(directory, 'init', '-q', 'src/nested');
    writeFiles(directory, { 'src/nested/y': 'y' });
  });
  expect(problems).toEqual(['src/nested is a git repository without a commit: its files are not recorded.']);
  const commit = value(await session.attempts())[0]?.after ?? '';
  expect(fileIn(world, commit, 'lib/new.txt')).toBe('n\n');
  expect(fileIn(world, commit, 'lib/closed/x.txt')).toBe('x\n');
  expect(fileIn(world, commit, 'a.txt')).toBe('one\ntwo\nthree\n');
});

test('so are those in a shared workspace, whatever else the configuration has', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'sparse-checkout', 'set', 'src');
  const session = await world.open({ isolation: 'shared' });
  writeFiles(world.repo, { 'lib/new.txt': 'n\n' });
  const { commit } = value(await session.snapshot(first('out'), 'before'));
  expect(fileIn(world, commit, 'lib/new.txt')).toBe('n\n');
});

test('a branch that has no commit in common is not merged into, and that is no conflict', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, 'one', (directory) => writeFiles(directory, { 'one.txt': '1\n' }));
  await session.merge(first('one'));
  personGit(world.repo, 'checkout', '-q', '--orphan', 'other');
  personGit(world.repo, 'commit', '-qm', 'begins anew');
  const finished = await session.finish({ how: 'merge', into: 'other', message: 'M', bringBack: true });
  expect(finished).toMatchObject({
    ok: false,
    fault: { what: expect.stringContaining('unrelated histories') },
  });
});

/** A PATH with git and a shell, and nothing else. */
const bareSystem = (): string => {
  const bin = tempDir();
  for (const name of ['git', 'sh'])
    symlinkSync(
      execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    );
  return bin;
};

test('where git-lfs is missing, the failure says so', async () => {
  const world = changesWorld(template, (ports) => ({
    ...ports,
    git: createGit({ ...gitEnvironment(tempDir()), PATH: bareSystem() }),
  }));
  writeFiles(world.repo, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'x.bin': 'x\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'large');
  for (const [key, value] of [
    ['clean', 'git-lfs clean -- %f'],
    ['smudge', 'git-lfs smudge -- %f'],
    ['process', 'git-lfs filter-process'],
    ['required', 'true'],
  ] as const)
    personGit(world.repo, 'config', `filter.lfs.${key}`, value);
  await expect(world.open()).rejects.toThrow(
    /git-lfs is not installed, and this repository keeps files in LFS; install git-lfs$/,
  );
});

test('a file that is marked as unchanged in the index is recorded all the same', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'update-index', '--assume-unchanged', 'a.txt');
  personGit(world.repo, 'update-index', '--skip-worktree', 'b.txt');
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(first('one'), 'before'));
  writeFiles(world.repo, { 'a.txt': 'changed\n', 'b.txt': 'changed\n' });
  const { commit, problems } = value(await session.snapshot(first('one'), 'after'));
  expect(fileIn(world, commit, 'a.txt')).toBe('changed\n');
  expect(fileIn(world, commit, 'b.txt')).toBe('changed\n');
  expect(problems).toEqual([]);
});
