import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Scope } from '../../src/changes/changed-file.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const first = { task: 'schema', attempt: 1 };
const second = { task: 'schema', attempt: 2 };

const secret = `ghp_${'a'.repeat(36)}`;

const pathsIn = async (session: SessionChanges, scope: Scope): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    value(await session.ranges(scope)).map(async (range) =>
      value(await session.changedFiles(range)).map(({ path }) => path),
    ),
  );

/** A worktree after `worktree.setup` made and changed files that git does not ignore. */
const setUp = async (session: SessionChanges, attempt = first, from?: 1): Promise<string> => {
  const start = from === undefined ? undefined : ({ from: 'attempt', attempt: from } as const);
  const { directory } = value(await session.prepare(attempt, start));
  writeFiles(directory, { 'setup.lock': 'made\n', 'generated.txt': 'made\n', 'b.txt': 'set up\n' });
  value(await session.snapshot(attempt, 'before'));
  return directory;
};

test('what the setup made and the task left as it was is in neither the diff nor the merge', async () => {
  const session = await changesWorld(template).open();
  const directory = await setUp(session);
  writeFiles(directory, { 'a.txt': 'task\n', 'generated.txt': 'made\nand changed\n' });
  expect(await pathsIn(session, { of: 'attempt', ...first })).toEqual([['a.txt', 'generated.txt']]);
  value(await session.snapshot(first, 'after'));
  const paths = [['a.txt', 'generated.txt']];
  expect(await pathsIn(session, { of: 'attempt', ...first })).toEqual(paths);
  expect(await pathsIn(session, { of: 'merge', ...first })).toEqual(paths);
  value(await session.commit(first, 'schema'));
  expect(await session.merge(first)).toMatchObject({ kind: 'merged', files: paths[0] });
  const merged = session.worktree?.directory ?? '';
  expect(readFileSync(join(merged, 'generated.txt'), 'utf8')).toBe('made\nand changed\n');
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual(paths);
});

test('what the setup made is not in a conflict that a person edits', async () => {
  const session = await changesWorld(template).open();
  const other = { task: 'other', attempt: 1 };
  for (const [attempt, text] of [
    [other, 'OTHER\n'],
    [first, 'SCHEMA\n'],
  ] as const) {
    const directory = await setUp(session, attempt);
    writeFiles(directory, { 'a.txt': text });
    value(await session.commit(attempt, attempt.task));
  }
  await session.merge(other);
  expect(await session.merge(first)).toMatchObject({ kind: 'conflict' });
  const { directory } = value(await session.openConflict(first));
  writeFiles(directory, { 'a.txt': 'BOTH\n' });
  expect(await session.resolve(first, { take: 'edited' })).toMatchObject({
    kind: 'merged',
    files: ['a.txt'],
  });
});

test('the merge of a second attempt is diffed and searched for secrets with what the first one left', async () => {
  const session = await changesWorld(template).open();
  const directory = await setUp(session);
  writeFiles(directory, { 'first.txt': `${secret}\n`, 'taken-back.txt': 'x\n' });
  value(await session.snapshot(first, 'after'));
  const again = await setUp(session, second, 1);
  writeFiles(again, { 'second.txt': '2\n', 'taken-back.txt': null });
  value(await session.commit(second, 'schema'));
  expect(await pathsIn(session, { of: 'attempt', ...second })).toEqual([['second.txt', 'taken-back.txt']]);
  const net = [['first.txt', 'second.txt']];
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual(net);
  expect(await pathsIn(session, { of: 'merge', ...second })).toEqual(net);
  const [range] = value(await session.ranges({ of: 'merge', ...second }));
  expect(value(await session.findSecrets(range ?? { from: '', to: '' }))).toEqual([
    { path: 'first.txt', line: 1 },
  ]);
  expect(await session.merge(second)).toMatchObject({ kind: 'merged', files: net[0] });
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual(net);
});

test('in a shared workspace the changes of a task are the net change of its attempts', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(first, 'before'));
  writeFiles(world.repo, { 'a.txt': 'once\n', 'taken-back.txt': 'x\n' });
  value(await session.snapshot(first, 'after'));
  value(await session.snapshot(second, 'before'));
  writeFiles(world.repo, { 'b.txt': 'twice\n', 'taken-back.txt': null });
  value(await session.snapshot(second, 'after'));
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual([['a.txt', 'b.txt']]);
});

test('in a shared workspace a file that another task wrote between two attempts is in neither', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  const attempt = async (of: typeof first, files: Readonly<Record<string, string>>): Promise<void> => {
    value(await session.snapshot(of, 'before'));
    writeFiles(world.repo, files);
    value(await session.snapshot(of, 'after'));
  };
  await attempt(first, { 'a.txt': 'once\n' });
  await attempt({ task: 'other', attempt: 1 }, { 'c.txt': 'other\n' });
  await attempt(second, { 'b.txt': 'twice\n' });
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual([['a.txt'], ['b.txt']]);
});

test('in a shared workspace an attempt that was undone before the next one is not in the net change', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(first, 'before'));
  writeFiles(world.repo, { 'a.txt': 'once\n' });
  value(await session.snapshot(first, 'after'));
  value(await session.undo({ task: 'schema', attempt: 1, dependants: [] }));
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual([['a.txt']]);
  value(await session.snapshot(second, 'before'));
  writeFiles(world.repo, { 'b.txt': 'twice\n' });
  value(await session.snapshot(second, 'after'));
  expect(await pathsIn(session, { of: 'task', task: 'schema' })).toEqual([['b.txt']]);
});
