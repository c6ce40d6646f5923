import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, personGit, value, worldAt, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const named = (task: string) => ({ task, attempt: 1 });

const mergeTask = async (
  session: SessionChanges,
  task: string,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const { directory } = value(await session.prepare(named(task)));
  writeFiles(directory, files);
  value(await session.commit(named(task), task));
  expect(await session.merge(named(task))).toMatchObject({ kind: 'merged' });
  return directory;
};

/** Shows a merge as the engine does: a new check tree is set up, and the tree is free afterwards. */
const look = async (
  session: SessionChanges,
  task: string,
  setUp: ((directory: string) => void) | null = null,
): Promise<{ readonly directory: string; readonly existed: boolean }> => {
  const shown = value(await session.showMerged(named(task)));
  if (!shown.existed) {
    setUp?.(shown.directory);
    value(await session.keepShown(named(task), setUp !== null));
  }
  session.hideMerged(named(task));
  return shown;
};

const install = (directory: string): void =>
  writeFiles(directory, { 'bin.log/check': 'real', 'bin.log/deep/x': 'x' });

test('what an attempt has beside its commit is not where its merge is verified', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const own = await mergeTask(session, 'one', { 'one.txt': '1\n', 'out.log': 'ignored\n' });
  expect(existsSync(join(own, 'out.log'))).toBe(true);
  const { directory } = await look(session, 'one');
  expect(readFileSync(join(directory, 'one.txt'), 'utf8')).toBe('1\n');
  expect(existsSync(join(directory, 'out.log'))).toBe(false);
});

test('what was set up stays, and what a check leaves goes', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.env': 'mine\n' });
  const session = await world.open({ copy: ['.env'] });
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  writeFiles(directory, { 'left.log': 'x', 'bin.log/planted': 'x', 'new.txt': 'x', 'a.txt': 'changed' });
  mkdirSync(join(directory, 'bin.log/deep/more'));
  await mergeTask(session, 'two', { 'two.txt': '2\n' });
  expect(await look(session, 'two')).toMatchObject({ directory, existed: true });
  const is = (path: string): boolean => existsSync(join(directory, path));
  expect(
    ['one.txt', 'two.txt', 'bin.log/check', 'bin.log/deep/x', '.env'].filter((path) => !is(path)),
  ).toEqual([]);
  expect(['left.log', 'bin.log/planted', 'new.txt', 'bin.log/deep/more'].filter(is)).toEqual([]);
  expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
});

test('while a check tree is torn down and made again, others are merged, prepared and shown', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  writeFileSync(join(directory, 'bin.log/check'), 'fake');
  const began = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const again = session.showMerged(named('one'), null, {
    before: async () => {
      began.resolve();
      await goesOn.promise;
    },
  });
  await began.promise;
  await mergeTask(session, 'two', { 'two.txt': '2\n' });
  const two = await look(session, 'two', install);
  expect(two.directory).not.toBe(directory);
  let isClosed = false;
  const closed = session.close().then(() => {
    isClosed = true;
  });
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  goesOn.resolve();
  expect(value(await again)).toMatchObject({ directory, existed: false });
  await closed;
  expect([directory, two.directory].filter((path) => existsSync(path))).toEqual([]);
});

test('a check tree that cannot be made is nobody’s afterwards', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  expect(await session.showMerged(named('one'), '0'.repeat(40))).toMatchObject({ ok: false });
  expect(await look(session, 'one', install)).toMatchObject({ existed: false });
  value(await session.close());
});

test.each([
  ['changes a file that was set up', (place: string) => writeFileSync(join(place, 'bin.log/check'), 'fake')],
  ['removes one', (place: string) => rmSync(join(place, 'bin.log/check'))],
  ['leads its .git elsewhere', (place: string) => appendFileSync(join(place, '.git'), '/../x')],
])('a check tree is made again when a check %s', async (_, spoil) => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  spoil(directory);
  const removed: string[] = [];
  const before = async (place: { directory: string }): Promise<void> => void removed.push(place.directory);
  const shown = value(await session.showMerged(named('one'), null, { before }));
  expect(shown).toMatchObject({ directory, existed: false });
  expect(removed).toEqual([directory]);
  expect(existsSync(join(directory, 'bin.log'))).toBe(false);
});

test('of two directories that were set up neither goes because its name begins as the other one', async () => {
  const session = await changesWorld(template).open();
  const both = (directory: string): void => writeFiles(directory, { 'tool/x': 'x', 'tools/x': 'x' });
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  await look(session, 'one', both);
  await mergeTask(session, 'two', { 'two.txt': '2\n' });
  expect(await look(session, 'two', both)).toMatchObject({ existed: true });
});

test('a check tree is made again when a merge changes what is installed', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  await look(session, 'one', install);
  await mergeTask(session, 'two', { 'pkg/package-lock.json': '{}\n' });
  expect(await look(session, 'two', install)).toMatchObject({ existed: false });
  await mergeTask(session, 'three', { 'three.txt': '3\n' });
  expect(await look(session, 'three', install)).toMatchObject({ existed: true });
});

test.each([
  [
    'told git to keep a file',
    (place: string) => personGit(place, 'update-index', '--skip-worktree', 'a.txt'),
  ],
  [
    'ended within a git command',
    (place: string) =>
      writeFileSync(join(personGit(place, 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'), ''),
  ],
])('a merge is shown whole where a check %s', async (_, leave) => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'b.txt': 'by one\n' });
  const { directory } = await look(session, 'one');
  leave(directory);
  await mergeTask(session, 'two', { 'a.txt': 'by two\n' });
  expect(await look(session, 'two')).toMatchObject({ directory, existed: true });
  expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('by two\n');
  expect(personGit(directory, 'status', '--porcelain')).toBe('');
});

test('what a set-up made stays where nothing is copied, and files that no merge changed are not written again', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  const written = statSync(join(directory, 'a.txt')).ino;
  await mergeTask(session, 'two', { 'two.txt': '2\n' });
  expect(await look(session, 'two', install)).toMatchObject({ directory, existed: true });
  expect(existsSync(join(directory, 'bin.log/deep/x'))).toBe(true);
  expect(statSync(join(directory, 'a.txt')).ino).toBe(written);
});

test('the end of a session waits for a worktree that is being removed', async () => {
  const session = await changesWorld(template).open();
  const { directory } = value(await session.prepare(named('one')));
  const removal = session.clean(named('one'));
  value(await session.close());
  expect(existsSync(directory)).toBe(false);
  value(await removal);
});

test('what is sent to a runner is not set up, and nothing runs in it or beside it here', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.env': 'mine\n' });
  const session = await world.open({ copy: ['.env'] });
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  await mergeTask(session, 'two', { 'two.txt': 'a fence wrote it\n' });
  const sent = value(await session.showMerged(named('two'), null, { isSent: true }));
  session.hideMerged(named('two'));
  expect(sent.directory).not.toBe(directory);
  expect(sent.existed).toBe(true);
  expect(readFileSync(join(sent.directory, 'two.txt'), 'utf8')).toBe('a fence wrote it\n');
  expect(existsSync(join(sent.directory, '.env'))).toBe(false);
  expect(existsSync(join(directory, 'two.txt'))).toBe(false);
  const ran: string[] = [];
  value(await session.close(async (place) => void ran.push(place.directory)));
  expect(ran).toEqual([directory]);
  expect(existsSync(sent.directory)).toBe(false);
});

test('merges that are verified at the same time have a check tree each, and one that the branch does not hold is shown', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  let onto: string | null = null;
  const places: string[] = [];
  for (const task of ['one', 'two']) {
    const { directory } = value(await session.prepare(named(task)));
    writeFiles(directory, { [`${task}.txt`]: `${task}\n` });
    value(await session.commit(named(task), task));
    const merge = await session.merge(named(task), { onto });
    if (merge.kind !== 'merged') throw new Error(merge.kind);
    onto = merge.commit;
    places.push(value(await session.showMerged(named(task), merge.commit)).directory);
  }
  const held = places.map((place) => ['one.txt', 'two.txt'].filter((path) => existsSync(join(place, path))));
  expect(new Set(places).size).toBe(2);
  expect(held).toEqual([['one.txt'], ['one.txt', 'two.txt']]);
});

test('a check tree that a killed program left is not used, and the end of the session removes its own', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await mergeTask(session, 'one', { 'one.txt': '1\n' });
  const { directory } = await look(session, 'one', install);
  const again = await worldAt(world.top).open();
  expect(existsSync(directory)).toBe(false);
  expect(await look(again, 'one', install)).toMatchObject({ directory, existed: false });
  value(await again.close());
  expect(existsSync(directory)).toBe(false);
  expect(personGit(world.repo, 'worktree', 'list', '--porcelain')).not.toContain('check.');
});
