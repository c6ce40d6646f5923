import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWork, takeBack, type Way } from '../../src/cli/session/changes/take-back.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { changesWorld, faultOf, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createStory, task } from '../helpers/story.ts';

const template = templateOfFile();

/** A session that ended: `base` is merged in two attempts, `top` waits for it, `side` for nothing. */
const ended = async (
  merged: Readonly<Record<string, Readonly<Record<string, string>>>>,
  state = 'COMPLETE' as const,
) => {
  const scratch = changesWorld(template);
  const session = await scratch.open();
  for (const [name, files] of Object.entries(merged)) {
    const [of = '', number = '1'] = name.split(' ');
    const attempt = { task: of, attempt: Number(number) };
    const { directory } = value(await session.prepare(attempt));
    value(await session.snapshot(attempt, 'before'));
    writeFiles(directory, files);
    value(await session.snapshot(attempt, 'after'));
    value(await session.commit(attempt, name));
    expect((await session.merge(attempt)).kind).toBe('merged');
  }
  const story = createStory()
    .begin()
    .tasks([task('base'), task('top', ['base']), task('side')])
    .state(state);
  const world = createWorld();
  const paths = sessionPaths(scratch.repo, '261122-101500');
  mkdirSync(paths.directory, { recursive: true });
  const place = { port: scratch.changes, world, paths, state: evolveAll(null, story.events) };
  const find = (way: Way, name: string, attempt: number | null = null) =>
    findWork(way, place, { task: name, attempt });
  const turn = async (way: Way, name: string, attempt: number | null = null) => {
    const work = await find(way, name, attempt);
    return work.ok ? takeBack(way, place, work.value) : work;
  };
  const onBranch = (): readonly string[] =>
    personGit(scratch.repo, 'ls-tree', '-r', '--name-only', 'ralph/261122-101500').trim().split('\n');
  return { scratch, paths, world, find, turn, onBranch };
};

test('undo takes a task off the branch of the session and keeps a patch; redo brings it back', async () => {
  const { scratch, paths, turn, onBranch } = await ended({
    base: { 'one.txt': '1\n' },
    'base 2': { 'two.txt': '2\n' },
    side: { 'side.txt': 's\n' },
  });
  const head = personGit(scratch.repo, 'rev-parse', 'HEAD');
  const one = value(await turn('undo', 'base', 2));
  expect(one.files).toEqual(['two.txt']);
  expect(readFileSync(one.patch ?? '', 'utf8')).toContain('two.txt');
  const all = value(await turn('undo', 'base'));
  expect(all.files).toEqual(['one.txt']);
  expect(onBranch()).toEqual(expect.arrayContaining(['side.txt']));
  expect(onBranch()).not.toEqual(expect.arrayContaining(['one.txt']));
  expect(value(await turn('redo', 'base')).files.length).toBeGreaterThan(0);
  expect(personGit(scratch.repo, 'rev-parse', 'HEAD')).toBe(head);
  expect(personGit(scratch.repo, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  expect(existsSync(join(scratch.repo, 'one.txt'))).toBe(false);
  expect(readdirSync(join(paths.directory, 'patches')).length).toBe(2);
  expect(personGit(scratch.repo, 'worktree', 'list').trim().split('\n')).not.toContainEqual(
    expect.stringContaining('ralph/'),
  );
});

test('undo is refused with the reason: later work stands on it, nothing is merged, the session goes on, somebody holds it', async () => {
  const { turn, find, paths, world } = await ended({ base: { 'one.txt': '1\n' }, top: { 'top.txt': 't\n' } });
  expect(faultOf(await turn('undo', 'base'))).toMatch(/top/);
  expect(faultOf(await find('undo', 'side'))).toBe('nothing of side is merged');
  expect(faultOf(await find('redo', 'top', 1))).toBe('nothing of attempt 1 of top was undone');
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  expect(faultOf(await turn('undo', 'top'))).toContain(`${process.pid}`);
  if (isLock(lock)) lock.release();
  expect(value(await turn('undo', 'top')).files).toEqual(['top.txt']);
  expect(value(await turn('undo', 'base')).files).toEqual(['one.txt']);
});
