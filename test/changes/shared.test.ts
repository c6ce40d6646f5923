import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  everything,
  faultOf,
  personGit,
  personsState,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

test.each([
  ['at the top', ''],
  ['in a directory with an odd name', 'w[1]*\\ ?/'],
])('sessions that .gitignore names keep nothing from being recorded and undone, %s', async (_, prefix) => {
  const world = changesWorld(template);
  const workspace = join(world.repo, prefix);
  writeFiles(workspace, { 'x.txt': 'x\n', '.ralph-sessions/1/note': 'n\n' });
  const session = await world.open({ isolation: 'shared', workspace });
  const attempt = { task: 'one', attempt: 1 };
  for (const ignore of ['', '.ralph-sessions/\n']) {
    writeFiles(world.repo, { '.gitignore': ignore });
    const { commit } = value(await session.snapshot(attempt, 'before'));
    const files = personGit(world.repo, 'ls-tree', '-r', '-z', '--name-only', commit).split('\0');
    expect(files).toContain(`${prefix}x.txt`);
    expect(files.filter((path) => path.includes('.ralph-sessions'))).toEqual([]);
  }
  writeFiles(workspace, { 'x.txt': 'changed\n' });
  value(await session.snapshot(attempt, 'after'));
  expect(value(await session.undo({ ...attempt, dependants: [] })).files).toEqual(['x.txt']);
});

/** The long tests only: what other tests of this file show in part. */
const long = test.runIf(isLongForm);

const first = (task: string) => ({ task, attempt: 1 });

const doTask = async (
  { repo }: ChangesWorld,
  session: SessionChanges,
  task: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> => {
  expect(value(await session.prepare(first(task))).directory).toBe(repo);
  value(await session.snapshot(first(task), 'before'));
  writeFiles(repo, files);
  value(await session.snapshot(first(task), 'after'));
};

const read = ({ repo }: ChangesWorld, path: string): string | null =>
  existsSync(join(repo, path)) ? readFileSync(join(repo, path), 'utf8') : null;

const work = (task: string, files: readonly string[] | undefined = undefined) => ({
  task,
  attempt: null,
  dependants: [],
  ...(files ? { files } : {}),
});

test('a snapshot leaves the index, the branch, the stash and every file of the person as they were', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'a.txt': 'stashed\n' });
  personGit(world.repo, 'stash', '-q');
  writeFiles(world.repo, { 'a.txt': 'staged\n', 'untracked.txt': 'u\n', 'x.log': 'ignored\n' });
  personGit(world.repo, 'add', 'a.txt');
  writeFiles(world.repo, { 'a.txt': 'further\n' });
  const before = personsState(world.repo);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(first('t'), 'before'));
  value(await session.snapshot(first('t'), 'after'));
  expect(personsState(world.repo)).toEqual(before);
});

test('work in a shared workspace is undone and redone by its snapshots', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  await doTask(world, session, 'schema', { 'new/deep/n.txt': 'new\n', 'b.txt': null, 'a.txt': 'one\n' });
  writeFiles(world.repo, { 'mine.txt': 'm\n' });
  const index = readFileSync(join(world.repo, '.git/index'));
  const done = everything(world.repo, (path) => path.startsWith('.git'));
  const undone = value(await session.undo(work('schema')));
  expect(undone.files).toEqual(['a.txt', 'b.txt', 'new/deep/n.txt']);
  expect([read(world, 'b.txt'), read(world, 'a.txt'), read(world, 'new')]).toEqual([
    'b\n',
    'one\ntwo\nthree\n',
    null,
  ]);
  expect(read(world, 'mine.txt')).toBe('m\n');
  expect(readFileSync(undone.patch ?? '', 'utf8')).toContain('+++ b/new/deep/n.txt');
  value(await session.redo(work('schema')));
  expect(everything(world.repo, (path) => path.startsWith('.git'))).toEqual(done);
  expect(readFileSync(join(world.repo, '.git/index')).equals(index)).toBe(true);
  value(await session.undo(work('schema')));
  personGit(world.repo, 'apply', '--check', undone.patch ?? '');
});

test('undo in a shared workspace is refused when the files changed since, naming who changed them', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  await doTask(world, session, 'schema', { 'a.txt': 'schema\n' });
  await doTask(world, session, 'html', { 'a.txt': 'html\n', 'b.txt': 'html\n' });
  const before = everything(world.repo);
  expect(faultOf(await session.undo(work('schema', ['a.txt'])))).toBe(
    'a.txt has changed since schema by html',
  );
  const byHand = { ...work('html'), dependants: ['schema'] };
  expect(faultOf(await session.undo(byHand))).toBe('schema builds on html');
  expect(everything(world.repo, (path) => path.startsWith('.git/objects'))).toEqual(
    Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith('.git/objects'))),
  );
  writeFiles(world.repo, { 'b.txt': 'person\n' });
  expect(faultOf(await session.undo(work('html', ['a.txt', 'b.txt'])))).toBe('b.txt has changed since html');
});

test('undo names no earlier work, which could only be undone after this', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  await doTask(world, session, 'schema', { 'a.txt': 'schema\n' });
  await doTask(world, session, 'html', { 'a.txt': 'html\n' });
  writeFiles(world.repo, { 'a.txt': 'a person\n' });
  expect(await session.undo(work('html', ['a.txt']))).toMatchObject({
    fault: {
      what: 'a.txt has changed since html',
      hint: '`ralph-tui diff html` shows the changes; edit the files by hand',
    },
  });
  const onTop = { ...work('schema', ['a.txt']), blockers: ['html'] };
  expect(await session.undo(onTop)).toMatchObject({
    fault: {
      what: 'a.txt has changed since schema by html',
      hint: '`ralph-tui diff schema` shows the changes; edit the files by hand',
    },
  });
});

long('undo of named files leaves what ran beside it', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(first('left'), 'before'));
  value(await session.snapshot(first('right'), 'before'));
  writeFiles(world.repo, { 'l.txt': 'l\n', 'r.txt': 'r\n' });
  value(await session.snapshot(first('left'), 'after'));
  value(await session.snapshot(first('right'), 'after'));
  value(await session.undo(work('left', ['l.txt'])));
  expect([read(world, 'l.txt'), read(world, 'r.txt')]).toEqual([null, 'r\n']);
});

long('snapshots and undo work before the first commit', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'update-ref', '-d', 'HEAD');
  const session = await world.open({ isolation: 'shared' });
  await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
  value(await session.undo(work('schema')));
  expect(read(world, 'new.txt')).toBe(null);
});

test('a snapshot sees a change of the same length in the same moment, and new files from one snapshot to the next', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  const written: string[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    writeFiles(world.repo, { 'a.txt': `${attempt}\n`, 'new.txt': `${attempt}\n` });
    const { commit } = value(await session.snapshot({ task: 't', attempt }, 'after'));
    written.push(
      personGit(world.repo, 'show', `${commit}:a.txt`) + personGit(world.repo, 'show', `${commit}:new.txt`),
    );
  }
  expect(written).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => `${attempt}\n${attempt}\n`));
});
