import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWork, takeBack } from '../../src/cli/session/changes/take-back.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { changesWorld, faultOf, personGit, personsState, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const template = templateOfFile();

/** `one` and `two` run side by side: each waits for the other's file. `three` runs alone. */
const plan = `goal: Files
tasks:
  - {id: one, title: One, files: [one.txt], run: ['echo 1 > one.txt; echo x > nobody.txt; until [ -e two.txt ]; do sleep 0.02; done']}
  - {id: two, title: Two, files: [two.txt], run: ['until [ -e one.txt ]; do sleep 0.02; done; echo 2 > two.txt']}
  - {id: three, title: Three, files: [a.txt, x.log], blockedBy: [one, two], run: ['echo 3 > a.txt; echo 3 > extra.txt; echo 3 > x.log']}
`;

const recorded = async () => {
  const world = changesWorld(template);
  const session = createRealSession(world.repo, plan, { changes: world.changes });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  return { world, session, state: engine.state() };
};

test('in a shared workspace git tells what each attempt changed; what nobody declares is named', async () => {
  const { world, session, state } = await recorded();
  const of = (key: string) => state.changes.attempts.get(key);
  expect(of('one/1')?.files).toEqual(['one.txt']);
  expect(of('two/1')?.files).toEqual(['two.txt']);
  expect(of('three/1')?.files).toEqual(['a.txt', 'extra.txt']);
  // git does not see ignored files; what was observed of them counts all the same.
  expect(state.tasks.get('three')?.changed).toEqual(['a.txt', 'extra.txt', 'x.log']);
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([
    'nobody.txt changed while one, two ran, and none of them declares it',
  ]);
  expect(evolveAll(null, session.events).changes).toEqual(state.changes);
  const reader = value(await world.changes.read(world.repo, '260215-101500'));
  const [range] = value(await reader.ranges({ of: 'session' }));
  const files = value(await reader.changedFiles(range ?? { from: '', to: '' }));
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'extra.txt', 'nobody.txt', 'one.txt', 'two.txt']);
});

test('recording leaves the branch, the index and the stash of the person as they were', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'b.txt': 'staged\n' });
  personGit(world.repo, 'add', 'b.txt');
  const own = (path: string): boolean =>
    /^(\.ralph-sessions|(one|two|nobody|a|extra)\.txt|x\.log)/.test(path);
  const before = personsState(world.repo, own);
  const session = createRealSession(world.repo, plan, { changes: world.changes });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(personsState(world.repo, own)).toEqual(before);
});

test('without a repository tasks work as ever and nothing is said; where git refuses it is said once', async () => {
  const plain = tempDir();
  const world = changesWorld(template);
  const run = async (workspace: string) => {
    const session = createRealSession(workspace, plan, { changes: world.changes });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    expect(await engine.settled()).toMatchObject({ exitCode: 0 });
    expect(engine.state().changes.attempts.size).toBe(0);
    return session.all('problem.found').map(({ fault }) => fault.what);
  };
  expect(await run(plain)).toEqual([]);
  personGit(world.repo, 'clone', '-q', '--bare', '.', '../bare');
  expect(await run(join(world.top, 'bare'))).toEqual([
    'attempts are not recorded, so they cannot be undone: This is a bare repository, without files to work on: use a clone or a worktree of it',
  ]);
});

test('what a task changed in a shared workspace is taken back and brought again; a later task keeps it', async () => {
  const { world, session, state } = await recorded();
  const place = { port: world.changes, world: createWorld(), paths: session.paths, state };
  const turn = async (way: 'undo' | 'redo', name: string) => {
    const work = await findWork(way, place, { task: name, attempt: null });
    return work.ok ? takeBack(way, place, work.value) : work;
  };
  const text = (path: string) => session.disk.lstat(join(world.repo, path)) !== null;
  expect(faultOf(await turn('undo', 'one'))).toBe('three builds on one');
  expect(value(await turn('undo', 'three'))).toMatchObject({ files: ['a.txt', 'extra.txt'], commit: null });
  expect(value(await turn('undo', 'one')).files).toEqual(['one.txt']);
  expect(['one.txt', 'two.txt', 'nobody.txt', 'extra.txt'].map(text)).toEqual([false, true, true, false]);
  expect(faultOf(await turn('undo', 'one'))).toBe('no files that one changed were recorded');
  expect(value(await turn('redo', 'one')).files).toEqual(['one.txt']);
  expect(text('one.txt')).toBe(true);
});
