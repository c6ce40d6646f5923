import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesPorts } from '../../src/changes/context.ts';
import type { Finish, SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, faultOf, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const task = { task: 'schema', attempt: 1 };

const doTask = async (
  session: SessionChanges,
  files: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const { directory } = value(await session.prepare(task));
  writeFiles(directory, files);
  value(await session.snapshot(task, 'after'));
  value(await session.commit(task, 'work'));
  expect(await session.merge(task)).toMatchObject({ kind: 'merged' });
};

const wish = (how: 'merge' | 'squash', more: { readonly bringBack?: true } = {}): Finish => ({
  how,
  into: 'main',
  message: `A ${how}`,
  ...more,
});

/** A session whose person took a commit off main while it worked. */
const dropped = async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'secret.txt': 'secret\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'oops');
  const session = await world.open();
  await doTask(session, { 'n.txt': 'n\n' });
  personGit(world.repo, 'reset', '-q', '--hard', 'HEAD~1');
  return { world, session, has: (path: string) => existsSync(join(world.repo, path)) };
};

test('a commit that the person dropped meanwhile comes back only if they say so, and never with a squash', async () => {
  const { world, session, has } = await dropped();
  const refused = await session.finish(wish('merge'));
  expect(faultOf(refused)).toMatch(
    /^main no longer has [0-9a-f]{7,} oops, which it had when the session began, and a merge would bring it back$/,
  );
  expect(faultOf(await session.propose({ task: 'm', attempt: 1 }, { into: 'main', message: 'm' }))).toBe(
    faultOf(refused),
  );
  expect(value(await session.finish({ how: 'keep' }))).toMatchObject({ bringsBack: true, into: 'main' });
  expect(has('n.txt')).toBe(false);
  expect(value(await session.finish(wish('squash')))).toMatchObject({ how: 'merged', files: ['n.txt'] });
  expect(has('n.txt')).toBe(true);
  expect(has('secret.txt')).toBe(false);
  expect(personGit(world.repo, 'log', '--format=%s')).toBe('A squash\nfirst\n');
});

test('a merge that the person wants all the same brings it back', async () => {
  const { session, has } = await dropped();
  value(await session.finish(wish('merge', { bringBack: true })));
  expect([has('secret.txt'), has('n.txt')]).toEqual([true, true]);
});

test('a conflict of a squash that leaves a dropped commit out names a command that leaves it out too', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'secret.txt': 'secret\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'oops');
  const session = await world.open();
  await doTask(session, { 'a.txt': 'task\n' });
  personGit(world.repo, 'reset', '-q', '--hard', 'HEAD~1');
  writeFiles(world.repo, { 'a.txt': 'mine\n' });
  personGit(world.repo, 'commit', '-qam', 'mine');
  const refused = await session.finish(wish('squash'));
  expect(faultOf(refused)).toBe('main and the session changed the same lines in a.txt');
  const hint = refused.ok ? '' : (refused.fault.hint ?? '');
  expect(hint).toMatch(/^`git -C \S+ diff --binary [0-9a-f]{40} ralph\/\S+ \| git -C \S+ apply --3way`/);
});

/** git whose merge writes some of the files, and then fails as on a full disk. */
const halfMerging =
  (halfDone: (repo: string) => void, error = 'error: unable to write file c.bin') =>
  (ports: ChangesPorts): ChangesPorts => ({
    ...ports,
    git: {
      ...ports.git,
      run: async (call) => {
        if (call.args[0] !== 'merge') return ports.git.run(call);
        halfDone(call.cwd);
        return { code: 1, out: new Uint8Array(), error, failure: null };
      },
    },
  });

test('a merge that fails half-way leaves the checkout of the person as it was', async () => {
  const world = changesWorld(
    template,
    halfMerging((repo) => {
      mkdirSync(join(repo, 'new'));
      writeFileSync(join(repo, 'new/big.bin'), 'ha');
      writeFileSync(join(repo, 'a.txt'), '');
      writeFiles(repo, { 'b.txt': null });
    }),
  );
  const session = await world.open();
  await doTask(session, { 'new/big.bin': 'half\n', 'a.txt': 'task\n', 'b.txt': null });
  writeFiles(world.repo, { 'own.txt': 'mine\n', 'src/c.txt': 'mine\n' });
  const status = () => personGit(world.repo, 'status', '--porcelain');
  const before = status();
  expect(faultOf(await session.finish(wish('merge')))).toBe(
    'git could not merge into main: unable to write file c.bin',
  );
  expect(status()).toBe(before);
  expect(existsSync(join(world.repo, 'new'))).toBe(false);
  expect(readFileSync(join(world.repo, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  expect(readFileSync(join(world.repo, 'src/c.txt'), 'utf8')).toBe('mine\n');
  personGit(world.repo, 'merge', '--no-overwrite-ignore', 'ralph/261122-101500');
});

test.each([
  'error: Your local changes to the following files would be overwritten by merge:\n\ta.txt',
  'Fehler: Ihre lokalen Änderungen in den folgenden Dateien würden durch den Merge überschrieben werden:\n\ta.txt',
])(
  'what the person writes while git refuses to merge is not put back, whatever git says: %s',
  async (error) => {
    const world = changesWorld(
      template,
      halfMerging((repo) => writeFiles(repo, { 'a.txt': 'just written\n', 'n.txt': 'mine\n' }), error),
    );
    const session = await world.open();
    await doTask(session, { 'a.txt': 'task\n', 'n.txt': 'task\n' });
    expect(faultOf(await session.finish(wish('merge')))).toContain('git could not merge into main');
    expect(readFileSync(join(world.repo, 'a.txt'), 'utf8')).toBe('just written\n');
    expect(readFileSync(join(world.repo, 'n.txt'), 'utf8')).toBe('mine\n');
  },
);

test('of a merge that fails half-way only what git wrote is put back, not what the person writes meanwhile', async () => {
  const world = changesWorld(
    template,
    halfMerging((repo) => writeFiles(repo, { 'a.txt': 'just written\n', 'b.txt': 'ta' })),
  );
  const session = await world.open();
  await doTask(session, { 'a.txt': 'task\n', 'b.txt': 'task\n' });
  expect(faultOf(await session.finish(wish('merge')))).toContain('unable to write file c.bin');
  expect(readFileSync(join(world.repo, 'a.txt'), 'utf8')).toBe('just written\n');
  expect(personGit(world.repo, 'status', '--porcelain')).toBe(' M a.txt\n');
});

test('what keeps a person from merging a kept branch by hand is named', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, { 'a.txt': 'task\n', 'n.txt': 'n\n', 'x.log': 'x\n' });
  writeFiles(world.repo, { 'a.txt': 'mine\n', 'n.txt': 'mine\n', 'own.txt': 'mine\n' });
  personGit(world.repo, 'checkout', '-q', '-b', 'other');
  expect(value(await session.finish({ how: 'keep' }))).toMatchObject({
    into: 'other',
    unsaved: ['a.txt', 'n.txt'],
    bringsBack: false,
  });
});

test('a worktree that is removed after the work is made again with the work in it', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.snapshot(task, 'before'));
  writeFiles(directory, { 'n.txt': 'n\n', 'a.txt': null });
  value(await session.snapshot(task, 'after'));
  rmSync(directory, { recursive: true });
  personGit(world.repo, 'worktree', 'prune');
  expect(value(await session.prepare(task))).toMatchObject({ directory, existed: false });
  expect([existsSync(join(directory, 'n.txt')), existsSync(join(directory, 'a.txt'))]).toEqual([true, false]);
  value(await session.commit(task, 'work'));
  expect(await session.merge(task)).toMatchObject({ kind: 'merged', files: ['a.txt', 'n.txt'] });
});

test('git in a worktree works on that worktree, also where a shared core.worktree counts in each', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'config', 'core.worktree', world.repo);
  personGit(world.repo, 'config', 'extensions.worktreeConfig', 'true');
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  expect(personGit(directory, 'rev-parse', '--show-toplevel')).toBe(`${directory}\n`);
  writeFiles(directory, { 'n.txt': 'n\n' });
  personGit(directory, 'add', '.');
  expect(personGit(world.repo, 'status', '--porcelain')).toBe('');
});
