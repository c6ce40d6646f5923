import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectTurn } from '../../components/details/select-turn.ts';
import { selectSummary } from '../../components/end/select-summary.ts';
import { findWork, takeBack } from '../../src/cli/session/changes/take-back.ts';
import { createWorld } from '../../src/cli/world.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { changesWorld, faultOf, personGit, personsState, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createStory, task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

/** `one` and `two` run side by side: each waits for the other's file. `three` runs alone. */
const plan = `goal: Files
tasks:
  - {id: one, title: One, files: [one.txt], run: ['echo 1 > one.txt; echo x > nobody.txt; until [ -e two.txt ]; do sleep 0.02; done']}
  - {id: two, title: Two, files: [two.txt], run: ['until [ -e one.txt ]; do sleep 0.02; done; echo 2 > two.txt']}
  - {id: three, title: Three, files: [a.txt, x.log], blockedBy: [one, two], run: ['echo 3 > a.txt; echo 3 > extra.txt; echo 3 > x.log']}
`;

/** The long tests only: what other tests of this file show in part. */
const long = test.runIf(isLongForm);

const recorded = async () => {
  const world = changesWorld(template);
  const session = createRealSession(world.repo, plan, { changes: world.changes });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  return { world, session, state: engine.state() };
};

test('in a shared workspace git tells what each attempt changed, which is taken back and brought again; a later task keeps it', async () => {
  const { world, session, state } = await recorded();
  const of = (key: string) => state.changes.attempts.get(key);
  expect(of('one/1')?.files).toEqual(['one.txt']);
  expect(of('two/1')?.files).toEqual(['two.txt']);
  expect(of('three/1')?.files).toEqual(['a.txt', 'extra.txt']);
  expect([...(of('one/1')?.undeclared ?? []), ...(of('two/1')?.undeclared ?? [])]).toContain('nobody.txt');
  // git does not see ignored files; what was observed of them counts all the same.
  expect(state.tasks.get('three')?.changed).toEqual(['a.txt', 'extra.txt', 'x.log']);
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([
    'nobody.txt changed while one, two ran, but no task declares the change',
  ]);
  expect(evolveAll(null, session.events).changes).toEqual(state.changes);
  const reader = value(await world.changes.read(world.repo, '260215-101500'));
  const [range] = value(await reader.ranges({ of: 'session' }));
  const files = value(await reader.changedFiles(range ?? { from: '', to: '' }));
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'extra.txt', 'nobody.txt', 'one.txt', 'two.txt']);

  let now = state;
  const turn = async (way: 'undo' | 'redo', name: string) => {
    const place = {
      port: world.changes,
      world: createWorld(),
      paths: session.paths,
      state: now,
      seal: () => null,
    };
    const work = await findWork(way, place, { task: name, attempt: null });
    const done = work.ok ? await takeBack(way, place, work.value) : work;
    if (done.ok) now = evolveAll(now, done.value.events);
    return done;
  };
  const text = (path: string) => session.disk.lstat(join(world.repo, path)) !== null;
  expect(faultOf(await turn('undo', 'one'))).toBe('three builds on one');
  expect(value(await turn('undo', 'three'))).toMatchObject({ files: ['a.txt', 'extra.txt'], commit: null });
  expect(value(await turn('undo', 'one')).files).toEqual(['one.txt']);
  expect(selectTurn({ session: now }, 'one', null)).toEqual({ way: 'redo', inWorktree: false });
  expect(selectTurn({ session: now }, 'two', null)).toEqual({ way: 'undo', inWorktree: false });
  expect(['one.txt', 'two.txt', 'nobody.txt', 'extra.txt'].map(text)).toEqual([false, true, true, false]);
  expect(faultOf(await turn('undo', 'one'))).toBe('no files that one changed were recorded');
  expect(value(await turn('redo', 'one')).files).toEqual(['one.txt']);
  expect(text('one.txt')).toBe(true);
  expect(now.changes.attempts.get('one/1')?.undone).toBeNull();
  expect(now.changes.attempts.get('three/1')?.undone).toContain('three-');
  expect(selectSummary({ session: now }).at(-1)).toMatch(
    /^three attempt 1 {2}undone; patch saved as .*\.patch$/,
  );
  // The journal tells it to the next program.
  const journal = readJournal(session.disk, session.paths.journal);
  expect(journal.problems).toEqual([]);
  expect(evolveAll(null, journal.events).changes.attempts).toEqual(now.changes.attempts);
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await again.settled();
  expect(again.state().changes.attempts).toEqual(now.changes.attempts);
});

long('recording leaves the branch, the index and the stash of the person as they were', async () => {
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

long(
  'without a repository tasks work as ever and nothing is said; where git refuses it is said once',
  async () => {
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
  },
);

test('undo waits for the end of the session while other tasks build on the work, and names what was never recorded', () => {
  const story = createStory()
    .begin()
    .tasks([task('one'), task('two', ['one']), task('three')]);
  const session = evolveAll(null, story.events);
  expect(selectTurn({ session }, 'one', null)).toBe(
    'Neither one nor the session has ended: cancel or retry one instead',
  );
  const stopped = { ...session, running: false };
  expect(selectTurn({ session: stopped }, 'three', null)).toBe(
    'Neither three nor the session has ended: cancel or retry three instead',
  );
  for (const id of ['one', 'three']) story.starts(id).qualifies(id);
  const half = { ...evolveAll(null, story.events), running: false };
  expect(selectTurn({ session: half }, 'one', null)).toBe(
    'The session has not ended, and two builds on one: cancel or retry one instead',
  );
  expect(selectTurn({ session: half }, 'three', null)).toBe('No changes from three were recorded');
  const ended = { ...session, state: 'COMPLETE', running: false } as const;
  expect(selectTurn({ session: ended }, 'one', null)).toBe('No changes from one were recorded');
});

test('guidance that a person writes while a task works is no change of that task, unless the task declares it', async () => {
  const world = changesWorld(template);
  const write = 'mkdir -p .ralph; echo x >> .ralph/guidance.yaml';
  const session = createRealSession(
    world.repo,
    `goal: Write
tasks:
  - {id: one, title: One, files: [a.txt], run: ['echo 1 > a.txt; ${write}']}
  - {id: two, title: Two, blockedBy: [one], files: [.ralph/guidance.yaml], run: ['${write}']}
`,
    { changes: world.changes },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const { attempts } = engine.state().changes;
  expect(attempts.get('one/1')?.files).toEqual(['a.txt']);
  expect(attempts.get('two/1')?.files).toEqual(['.ralph/guidance.yaml']);
});

test('what passed its verify beside a task that broke it afterwards is found broken before the session ends, and mended', async () => {
  const world = changesWorld(template);
  const session = createRealSession(
    world.repo,
    `goal: Prove
tasks:
  - {id: one, title: One, files: [one.txt], run: ['[ ! -e shared.cfg ] || touch mended; echo 1 > one.txt'], verify: ['[ ! -e shared.cfg ] || [ -e mended ]', 'touch .git/checked']}
  - {id: two, title: Two, files: [two.txt], run: ['until [ -e .git/checked ]; do sleep 0.02; done; echo x > shared.cfg; echo 2 > two.txt']}
`,
    { changes: world.changes },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  expect(session.all('verify.outdated')).toMatchObject([{ task: 'one', files: ['shared.cfg'] }]);
  expect(session.all('task.failed')).toMatchObject([{ task: 'one', attempt: 1, counts: true }]);
  expect(engine.state().tasks.get('one')).toMatchObject({ status: 'done', attempt: 2 });
});
