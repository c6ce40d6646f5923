import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, faultOf, personGit, value, worldAt, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const branch = 'refs/heads/ralph/261122-101500';
const one = { task: 'one', attempt: 1 };
const two = { task: 'two', attempt: 1 };

const work = async (session: SessionChanges, attempt: typeof one): Promise<string> => {
  const { directory } = value(await session.prepare(attempt));
  writeFiles(directory, { [`${attempt.task}.txt`]: 'text\n' });
  value(await session.commit(attempt, attempt.task));
  return directory;
};

/** A session with one merge, and a second attempt that is committed. */
const begun = async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await work(session, one);
  expect(await session.merge(one)).toMatchObject({ kind: 'merged' });
  await work(session, two);
  const tip = personGit(world.repo, 'rev-parse', branch).trim();
  const git = (...args: readonly string[]): string => personGit(world.repo, ...args).trim();
  return { world, session, tip, git };
};

const finish = { how: 'merge', into: 'main', message: 'done' } as const;

test.each([
  ['moved it back', (world: { repo: string }) => personGit(world.repo, 'update-ref', branch, 'main')],
  ['deleted it', (world: { repo: string }) => personGit(world.repo, 'update-ref', '-d', branch)],
  [
    'committed in its worktree',
    (_: unknown, directory: string) => {
      writeFiles(directory, { 'evil.txt': 'evil\n' });
      personGit(directory, 'add', '.');
      personGit(directory, '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'evil');
    },
  ],
  [
    'made it lead to the branch of the person',
    (world: { repo: string }) => personGit(world.repo, 'symbolic-ref', branch, 'refs/heads/main'),
  ],
] as const)(
  'where somebody %s, the branch of the session is neither merged, moved nor finished',
  async (_, move) => {
    const { world, session, tip, git } = await begun();
    move(world, session.worktree?.directory ?? '');
    const moved = git('for-each-ref', '--format=%(objectname)', branch);
    const refused = await session.merge(two);
    expect(refused).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(`git update-ref ${branch} ${tip}`),
    });
    for (const ended of [
      await session.finish(finish),
      await session.finish({ how: 'keep' }),
      await session.takeBack(one),
      await session.undo({ task: 'one', attempt: null, dependants: [] }),
    ])
      expect(faultOf(ended)).toMatch(/^someone else has/);
    expect(git('for-each-ref', '--format=%(objectname)', branch)).toBe(moved);
    personGit(world.repo, 'update-ref', '--no-deref', branch, tip);
    expect(await session.merge(two)).toMatchObject({ kind: 'merged', before: tip });
    expect(value(await session.finish(finish))).toMatchObject({ files: ['one.txt', 'two.txt'] });
  },
);

test('a person may go on from where the branch was moved to', async () => {
  const { session, git } = await begun();
  const main = git('rev-parse', 'main');
  git('update-ref', branch, main);
  const told = await session.merge(two);
  const state = told.kind === 'refused' ? (told.unaccepted ?? '') : '';
  value(await session.acceptConfiguration('at another place'));
  expect(await session.merge(two)).toEqual(told);
  value(await session.acceptConfiguration(state));
  expect(await session.merge(two)).toMatchObject({ kind: 'merged', before: main });
});

test('a branch that was moved while no program had the session is told as well', async () => {
  const { world, session, tip, git } = await begun();
  value(await session.close());
  git('update-ref', branch, 'main');
  const again = await worldAt(world.top).open();
  expect(await again.merge(two)).toMatchObject({ kind: 'refused' });
  expect(git('rev-parse', branch)).toBe(git('rev-parse', 'main'));
  git('update-ref', branch, tip);
  expect(await again.merge(two)).toMatchObject({ kind: 'merged' });
});

test('a session that recorded no tip of its own goes on from its branch', async () => {
  const { world, session, tip } = await begun();
  value(await session.close());
  const [place = ''] = world.ports.files.list(world.ports.root).filter((name) => name.endsWith('.tips'));
  await world.ports.files.removeTree(join(world.ports.root, place));
  expect(await (await worldAt(world.top).open()).merge(two)).toMatchObject({ kind: 'merged', before: tip });
});

test('commits that an agent makes, and hides by moving the start of its attempt, are among its changes', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(one));
  value(await session.snapshot(one, 'before'));
  writeFiles(directory, { 'hidden.txt': 'hidden\n' });
  personGit(directory, 'add', '.');
  personGit(directory, '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'hidden');
  for (const ref of ['start', 'before'])
    personGit(directory, 'update-ref', `refs/ralph/261122-101500/one/1/${ref}`, 'HEAD');
  value(await session.commit(one, 'One'));
  const [range] = value(await session.ranges({ of: 'attempt', ...one }));
  const files = value(await session.changedFiles(range ?? { from: '', to: '' }));
  expect(files.map(({ path }) => path)).toEqual(['hidden.txt']);
});

test('what the record of the session names counts after a restart, whatever the refs say', async () => {
  const { world, session, git } = await begun();
  value(await session.snapshot(two, 'before'));
  value(await session.snapshot(two, 'after'));
  const [record] = value(await session.attempts()).filter(({ task }) => task === 'two');
  value(await session.close());
  for (const ref of ['start', 'before']) git('update-ref', `refs/ralph/261122-101500/two/1/${ref}`, 'main');
  const again = await worldAt(world.top).open({
    recorded: [{ ...two, before: record?.before ?? null, after: record?.after ?? null }],
  });
  expect(value(await again.attempts()).find(({ task }) => task === 'two')?.before).toBe(record?.before);
});
