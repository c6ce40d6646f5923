import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createChanges } from '../../src/changes/create-changes.ts';
import { statusOf } from '../../src/cli/report/status-report.ts';
import { findWork, takeBack } from '../../src/cli/session/changes/take-back.ts';
import { createWorld } from '../../src/cli/world.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Way } from '../../src/pipeline/changes/changes-state.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { changesWorld, faultOf, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { Died, dyingPorts } from '../helpers/dying-ports.ts';
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
  const place = {
    port: scratch.changes,
    world,
    paths,
    state: evolveAll(null, story.events),
    seal: () => null,
  };
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
  expect(faultOf(await find('undo', 'side'))).toBe('no changes from side are merged');
  expect(faultOf(await find('redo', 'top', 1))).toBe('no changes from attempt 1 of top were undone');
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  expect(faultOf(await turn('undo', 'top'))).toContain(`${process.pid}`);
  if (isLock(lock)) lock.release();
  expect(value(await turn('undo', 'top')).files).toEqual(['top.txt']);
  expect(value(await turn('undo', 'base')).files).toEqual(['one.txt']);
});

/** A session in a shared workspace that ended: `base` wrote a.txt and new.txt, and `top` builds on it. */
const endedShared = async () => {
  const scratch = changesWorld(template);
  const session = await scratch.open({ isolation: 'shared' });
  const story = createStory()
    .begin()
    .tasks([task('base'), task('top', ['base']), task('side')]);
  const work = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    const attempt = { task: name, attempt: 1 };
    for (const moment of ['before', 'after'] as const) {
      if (moment === 'after') writeFiles(scratch.repo, files);
      const { commit } = value(await session.snapshot(attempt, moment));
      const own = moment === 'after' ? { files: Object.keys(files) } : {};
      story.add({ type: 'attempt.snapshotted', ...attempt, moment, commit, ...own });
    }
  };
  await work('base', { 'a.txt': 'base\n', 'new.txt': 'n\n' });
  await work('top', { 'top.txt': 't\n' });
  await work('side', { 'b.txt': 'side\n' });
  story.state('COMPLETE');
  const world = createWorld();
  const paths = sessionPaths(scratch.repo, '261122-101500');
  mkdirSync(paths.directory, { recursive: true });
  const state = (): SessionState =>
    evolveAll(
      evolveAll(null, story.events),
      existsSync(paths.journal) ? readJournal(world.disk, paths.journal).events : [],
    );
  const turn = async (way: Way, name: string, port = scratch.changes) => {
    const place = { port, world, paths, state: state(), seal: () => null };
    const wanted = await findWork(way, place, { task: name, attempt: null });
    return wanted.ok ? takeBack(way, place, wanted.value) : wanted;
  };
  const problems = (): readonly string[] =>
    statusOf(
      {
        state: state(),
        paths,
        host: null,
        problems: [],
        layout: { layout: 'ours', ours: true, writable: true, lostJournal: false } as never,
      },
      { signals: 0, feedback: 'none' },
    ).problems.map(({ what, hint }) => `${what}; ${hint}`);
  return { scratch, state, turn, problems };
};

test('an undo that was killed in the middle is said in the status, and the printed command completes it', async () => {
  const probe = await endedShared();
  const whole = dyingPorts(probe.scratch.ports, 0);
  value(await probe.turn('undo', 'top'));
  value(await probe.turn('undo', 'base', createChanges(whole)));
  for (const at of [whole.steps() - 2, whole.steps() - 5]) {
    const { scratch, state, turn, problems } = await endedShared();
    value(await turn('undo', 'top'));
    await expect(turn('undo', 'base', createChanges(dyingPorts(scratch.ports, at)))).rejects.toThrow(Died);
    expect(problems(), `step ${at}`).toEqual([
      'the undo of base was interrupted, so some files may not have been updated; `ralph-tui undo base --session 261122-101500` completes it',
    ]);
    const done = value(await turn('undo', 'base'));
    expect(done.files, `step ${at}`).toEqual(['a.txt', 'new.txt']);
    expect(readFileSync(done.patch ?? '', 'utf8')).toContain('new.txt');
    expect(readFileSync(join(scratch.repo, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(existsSync(join(scratch.repo, 'new.txt'))).toBe(false);
    expect(problems()).toEqual([]);
    expect(state().changes.attempts.get('base/1')?.undone).toBe(done.patch);
    value(await turn('redo', 'base'));
    expect(readFileSync(join(scratch.repo, 'a.txt'), 'utf8')).toBe('base\n');
  }
});

test('redo is refused while work that it builds on is undone', async () => {
  const { turn } = await endedShared();
  value(await turn('undo', 'top'));
  value(await turn('undo', 'base'));
  expect(await turn('redo', 'top')).toMatchObject({
    fault: { what: 'top builds on base, which was undone', hint: 'redo base first' },
  });
  value(await turn('redo', 'base'));
  expect(value(await turn('redo', 'top')).files).toEqual(['top.txt']);
});

test('redo on the branch of the session is refused in the same way', async () => {
  const { turn } = await ended({ base: { 'one.txt': '1\n' }, top: { 'top.txt': 't\n' } });
  value(await turn('undo', 'top'));
  value(await turn('undo', 'base'));
  expect(await turn('redo', 'top')).toMatchObject({
    fault: { what: 'top builds on base, which was undone', hint: 'redo base first' },
  });
});

test('files keep their permissions through undo and redo', async () => {
  const { scratch, turn } = await endedShared();
  const mode = (): string => (statSync(join(scratch.repo, 'b.txt')).mode & 0o777).toString(8);
  chmodSync(join(scratch.repo, 'b.txt'), 0o640);
  value(await turn('undo', 'side'));
  expect(mode()).toBe('640');
  value(await turn('redo', 'side'));
  expect(mode()).toBe('640');
});

test('undo at a lock that another program took meanwhile is refused with the command that does it', async () => {
  const { world, paths, turn, onBranch } = await ended({ side: { 'side.txt': 's\n' } });
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  if (!isLock(lock)) throw new Error('the lock is held');
  const refused = await turn('undo', 'side');
  lock.release();
  expect(refused.ok ? null : refused.fault.hint).toBe(
    'run `ralph-tui undo side --session 261122-101500`, and the running session will do it',
  );
  expect(onBranch()).toContain('side.txt');
});
