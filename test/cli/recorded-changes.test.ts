import { expect, test } from 'vitest';
import { readAnyChanges, readRecorded } from '../../src/cli/session/changes/read-recorded.ts';
import { recordedSessions } from '../../src/cli/session/read-changes.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { parseDiff } from '../../src/words/diff/diff.ts';
import { changesWorld, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const session = '261122-101500';
const nothing = { files: [], seen: [], commit: null, iteration: 1 };

/** Two attempts of `a`, the second of iteration 2 too, and one of `b` that still runs. */
const recorded = async (isolation: 'shared' | 'worktree') => {
  const world = changesWorld(template);
  const changes = await world.open({ isolation });
  const attempt = async (
    task: string,
    number: number,
    files: Readonly<Record<string, string | null>>,
    ends = true,
  ) => {
    const of = { task, attempt: number };
    const start = number > 1 ? ({ from: 'attempt', attempt: number - 1 } as const) : undefined;
    const { directory } = value(await changes.prepare(of, start));
    value(await changes.snapshot(of, 'before'));
    writeFiles(directory, files);
    if (ends) value(await changes.snapshot(of, 'after'));
  };
  await attempt('a', 1, { 'a.txt': 'one\n2\nthree\n' });
  await attempt('a', 2, { 'new.txt': 'new\n', 'b.txt': null });
  await attempt('a@2', 1, { 'later.txt': 'later\n' });
  await attempt('b', 1, { 'src/c.txt': 'longer\n' }, false);
  const read = async (task: string | null, number: number | null, iteration = 1) => {
    const wanted = { ...nothing, iteration, of: { task, attempt: number } };
    const found = await readRecorded(world.changes, world.repo, session, wanted);
    return found?.files.map(({ path, added, removed }) => `${path} +${added} -${removed}`) ?? null;
  };
  return { world, read };
};

test.each(['shared', 'worktree'] as const)(
  'in %s isolation each attempt has the changes of its own snapshots',
  async (isolation) => {
    const { world, read } = await recorded(isolation);
    expect(await read('a', 1)).toEqual(['a.txt +1 -1']);
    expect(await read('a', 2)).toEqual(['b.txt +0 -1', 'new.txt +1 -0']);
    expect(await read('a', null)).toEqual(['a.txt +1 -1', 'b.txt +0 -1', 'new.txt +1 -0']);
    expect(await read('a', 1, 2)).toEqual(['later.txt +1 -0']);
    expect(await read('a', 2, 2)).toEqual(['b.txt +0 -1', 'new.txt +1 -0']);
    expect(await read('b', 1)).toEqual(['src/c.txt +1 -1']);
    expect(await read('c', 1)).toBeNull();
    expect(await recordedSessions(world.repo, session)).toEqual([session]);
  },
);

test("a person's own file in the shared workspace is not among the changes of the session", async () => {
  const world = changesWorld(template);
  const changes = await world.open({ isolation: 'shared' });
  const of = { task: 'a', attempt: 1 };
  value(await changes.prepare(of));
  value(await changes.snapshot(of, 'before'));
  writeFiles(world.repo, { 'a.txt': 'one\n2\nthree\n', 'mine.md': 'mine\n' });
  value(await changes.snapshot(of, 'after'));
  const wanted = { ...nothing, files: ['a.txt'], seen: ['a.txt'], of: { task: null, attempt: null } };
  const found = await readRecorded(world.changes, world.repo, session, wanted);
  expect(found?.files.map(({ path }) => path)).toEqual(['a.txt']);
});

test("a session whose tasks declare and change no file changed nothing, whatever a person's files became meanwhile", async () => {
  const world = changesWorld(template);
  const changes = await world.open({ isolation: 'shared' });
  const of = { task: 'a', attempt: 1 };
  value(await changes.prepare(of));
  value(await changes.snapshot(of, 'before'));
  writeFiles(world.repo, { 'mine.md': 'mine\n' });
  value(await changes.snapshot(of, 'after'));
  const wanted = { ...nothing, of: { task: null, attempt: null } };
  const found = await readRecorded(world.changes, world.repo, session, wanted);
  expect(found).toEqual({ files: [], diff: '', cut: false, missing: null });
});

test('a file that a task was seen to change is among the changes though git ignores it, as in the printed summary', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.gitignore': 'dist\n' });
  const changes = await world.open({ isolation: 'shared' });
  const of = { task: 'a', attempt: 1 };
  value(await changes.prepare(of));
  value(await changes.snapshot(of, 'before'));
  writeFiles(world.repo, { 'a.txt': 'one\n2\nthree\n', 'dist/a.txt': 'built\n' });
  value(await changes.snapshot(of, 'after'));
  const seen = ['a.txt', 'dist/a.txt'];
  const read = async (task: string | null, attempt: number | null) => {
    const wanted = { ...nothing, files: seen, seen, of: { task, attempt } };
    return (await readRecorded(world.changes, world.repo, session, wanted))?.files;
  };
  const all = [
    { path: 'a.txt', added: 1, removed: 1 },
    { path: 'dist/a.txt', added: null, removed: null },
  ];
  expect(await read(null, null)).toEqual(all);
  expect(await read('a', null)).toEqual(all);
  // The task may have been seen to change them in another attempt.
  expect(await read('a', 1)).toEqual(all.slice(0, 1));
});

test('the diff is that of the snapshots, and a session without any leaves it to git', async () => {
  const { world } = await recorded('shared');
  writeFiles(world.repo, { 'a.txt': 'later\n' });
  const wanted = { ...nothing, of: { task: 'a', attempt: 1 } };
  const found = await readRecorded(world.changes, world.repo, session, wanted);
  expect(found?.diff).toContain('-two\n+2\n');
  expect(parseDiff(found?.diff ?? '').files.map(({ path }) => path)).toEqual(['a.txt']);
  expect(await readRecorded(world.changes, world.repo, '261122-000000', wanted)).toBeNull();
  expect(await recordedSessions(world.repo, '261122-000000')).toEqual([]);
});

test('a flow shows the changes of all its streams, as a whole and task by task, also after they were merged', async () => {
  const world = changesWorld(template);
  const stream = async (issue: string, branch: string, file: string) => {
    const changes = await world.open({ session: `${session}+${issue}`, branch, isolation: 'worktree' });
    const of = { task: `implement-${issue}_stream`, attempt: 1 };
    const { directory } = value(await changes.prepare(of));
    writeFiles(directory, { [file]: 'new\n', 'a.txt': `${issue}\ntwo\nthree\n` });
    value(await changes.snapshot(of, 'after'));
    value(await changes.commit(of, 'Do it'));
    expect(await changes.merge(of)).toMatchObject({ kind: 'merged' });
    return changes;
  };
  // Somebody has a branch of that name: the stream has another one.
  personGit(world.repo, 'branch', 'ralph/BD-7');
  const first = await stream('2', 'ralph/2', 'two.txt');
  await stream('BD-7', 'ralph/BD-7', 'seven.txt');
  expect(await recordedSessions(world.repo, session)).toHaveLength(2);
  const paths = sessionPaths(world.repo, session);
  const read = async (task: string | null) => {
    const wanted = { ...nothing, of: { task, attempt: null } };
    const found = await readAnyChanges({ env: process.env, world: createWorld(), paths }, wanted);
    return found.files.map(({ path, added, removed }) => `${path} +${added} -${removed}`);
  };
  const all = ['a.txt +2 -2', 'two.txt +1 -0', 'seven.txt +1 -0'];
  expect(await read(null)).toEqual(all);
  expect(await read('implement-BD-7_stream')).toEqual(['a.txt +1 -1', 'seven.txt +1 -0']);
  value(await first.finish({ how: 'merge', into: 'main', message: 'Merge it' }));
  expect(await read(null)).toEqual(all);
  // The start of another session's name is no stream of it.
  expect(await recordedSessions(world.repo, '261122-10150')).toEqual([]);
});

test.each(['shared', 'worktree'] as const)(
  'in %s isolation a file that a task was seen to change counts only if git shows or ignores it',
  async (isolation) => {
    const world = changesWorld(template);
    writeFiles(world.repo, { '.git/info/exclude': 'dist/\n' });
    const changes = await world.open({ isolation });
    const of = { task: 'a', attempt: 1 };
    const { directory } = value(await changes.prepare(of));
    value(await changes.snapshot(of, 'before'));
    writeFiles(directory, { 'a.txt': 'one\n2\nthree\n', 'dist/a.js': 'built\n' });
    value(await changes.snapshot(of, 'after'));
    const seen = ['a.txt', 'b.txt', 'dist/a.js'];
    const wanted = { ...nothing, files: seen, seen, of: { task: 'a', attempt: null } };
    const found = await readRecorded(world.changes, world.repo, session, wanted);
    expect(found?.files.map(({ path }) => path)).toEqual(['a.txt', 'dist/a.js']);
  },
);
