import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  faultOf,
  personGit,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

/** The long tests only: what other tests of this file show in part. */
const long = test.runIf(isLongForm);

const task = { task: 'schema', attempt: 1 };

const prepare = async (session: SessionChanges, attempt = task): Promise<string> =>
  value(await session.prepare(attempt)).directory;

const begin = (directory: string): void => {
  personGit(directory, 'init', '-q', '.');
  personGit(directory, 'config', 'user.name', 'agent');
  personGit(directory, 'config', 'user.email', 'agent@host');
};

const commitAll = (directory: string): void => {
  personGit(directory, 'add', '.');
  personGit(directory, 'commit', '-qm', 'mine');
};

/** A repository that has another one as its submodule `sub`, checked out. */
const withSubmodule = (world: ChangesWorld): void => {
  const other = join(world.top, 'other');
  writeFiles(other, { 's.txt': 's\n' });
  begin(other);
  commitAll(other);
  const add = ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'sub'];
  personGit(world.repo, ...add);
  personGit(world.repo, 'commit', '-qm', 'submodule');
};

/** What `worktree.setup` is told to do. */
const checkOut = (directory: string): void => {
  const update = ['submodule', '--quiet', 'update', '--init'];
  personGit(directory, '-c', 'protocol.file.allow=always', ...update);
  personGit(join(directory, 'sub'), 'config', 'user.name', 'agent');
  personGit(join(directory, 'sub'), 'config', 'user.email', 'agent@host');
};

const inSub = (name: string, act: (sub: string) => void): [string, (directory: string) => void] => [
  name,
  (directory) => act(join(directory, 'sub')),
];

test.each<[string, (directory: string) => void]>([
  [
    'a repository of its own',
    (directory) => {
      writeFiles(directory, { 'sub/work.txt': 'w\n', 'plain.txt': 'p\n' });
      begin(join(directory, 'sub'));
      commitAll(join(directory, 'sub'));
    },
  ],
  [
    'a repository of its own without a commit',
    (directory) => {
      writeFiles(directory, { 'sub/work.txt': 'w\n', 'plain.txt': 'p\n' });
      begin(join(directory, 'sub'));
    },
  ],
])('the worktree of a task that makes %s is kept, and the merge names it', async (_, act) => {
  const session = await changesWorld(template).open();
  const directory = await prepare(session);
  value(await session.snapshot(task, 'before'));
  act(directory);
  const committed = value(await session.commit(task, 'schema'));
  expect(committed).toMatchObject({ repositories: ['sub'] });
  expect(faultOf(await session.clean(task))).toBe(
    `${directory} is kept: it contains the git repository sub, whose files are not in any commit here`,
  );
  expect(readFileSync(join(directory, 'sub/work.txt'), 'utf8')).toBe('w\n');
  // Once it is no repository of its own, its files are the task's, and the worktree may go.
  rmSync(join(directory, 'sub/.git'), { recursive: true });
  expect(value(await session.commit(task, 'schema'))).toMatchObject({ repositories: [] });
  expect(await session.merge(task)).toMatchObject({ kind: 'merged', files: ['plain.txt', 'sub/work.txt'] });
  value(await session.clean(task));
  expect(existsSync(directory)).toBe(false);
});

const inSubmodules = [
  inSub('a changed file', (sub) => writeFiles(sub, { 's.txt': 'changed\n' })),
  inSub('a new file', (sub) => writeFiles(sub, { 'n.txt': 'new\n' })),
  inSub('a commit that no remote has', (sub) => {
    writeFiles(sub, { 's.txt': 'changed\n' });
    commitAll(sub);
  }),
  inSub('a repository in it', (sub) => {
    writeFiles(sub, { 'deep/d.txt': 'd\n' });
    begin(join(sub, 'deep'));
    commitAll(join(sub, 'deep'));
  }),
];

test.each(isLongForm ? inSubmodules : inSubmodules.slice(0, 1))(
  '%s in a submodule that the setup checked out keeps the worktree',
  async (_, act) => {
    const world = changesWorld(template);
    withSubmodule(world);
    const session = await world.open();
    const directory = await prepare(session);
    checkOut(directory);
    value(await session.snapshot(task, 'before'));
    act(directory);
    expect(value(await session.commit(task, 'schema')).repositories).toEqual(['sub']);
    expect(faultOf(await session.clean(task))).toContain('is kept: it contains the git repository sub,');
    expect(existsSync(join(directory, 'sub/s.txt'))).toBe(true);
  },
);

test('a submodule as it was checked out, or at a commit of its remote, keeps nothing', async () => {
  const world = changesWorld(template);
  withSubmodule(world);
  const session = await world.open();
  const directory = await prepare(session);
  checkOut(directory);
  value(await session.snapshot(task, 'before'));
  writeFiles(directory, { 'a.txt': 'x\n' });
  expect(value(await session.commit(task, 'schema')).repositories).toEqual([]);
  expect(await session.merge(task)).toMatchObject({ kind: 'merged', files: ['a.txt'] });
  value(await session.clean(task));
  const next = { ...task, attempt: 2 };
  writeFiles(join(world.top, 'other'), { 's.txt': 'newer\n' });
  commitAll(join(world.top, 'other'));
  const second = await prepare(session, next);
  checkOut(second);
  value(await session.snapshot(next, 'before'));
  personGit(join(second, 'sub'), 'fetch', '-q');
  personGit(join(second, 'sub'), 'checkout', '-q', 'FETCH_HEAD');
  expect(value(await session.commit(next, 'schema')).repositories).toEqual([]);
  expect(await session.merge(next)).toMatchObject({ kind: 'merged', files: ['sub'] });
  value(await session.clean(next));
});

long('an attempt that goes on from one with a repository of its own is asked about it again', async () => {
  const session = await changesWorld(template).open();
  const directory = await prepare(session);
  value(await session.snapshot(task, 'before'));
  writeFiles(directory, { 'sub/work.txt': 'w\n' });
  begin(join(directory, 'sub'));
  commitAll(join(directory, 'sub'));
  value(await session.commit(task, 'schema'));
  const next = { ...task, attempt: 2 };
  value(await session.prepare(next, { from: 'attempt', attempt: 1 }));
  value(await session.snapshot(next, 'before'));
  expect(value(await session.commit(next, 'schema')).repositories).toEqual(['sub']);
});

test('what a dead session left with a repository in it is not cleared away', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  writeFiles(directory, { 'sub/work.txt': 'w\n' });
  begin(join(directory, 'sub'));
  const [orphan] = value(await world.changes.findOrphans(world.repo, [])).filter(
    ({ name }) => name === directory,
  );
  if (orphan === undefined) throw new Error('the worktree was not found');
  expect(faultOf(await world.changes.clearOrphan(world.repo, orphan))).toContain(
    'is kept: it contains the git repository sub',
  );
  expect(existsSync(join(directory, 'sub/work.txt'))).toBe(true);
});

test('no program that a nested repository names runs when it is looked at', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  value(await session.snapshot(task, 'before'));
  const ran = join(world.top, 'ran');
  const sub = join(directory, 'sub');
  writeFiles(sub, { 'work.txt': 'w\n', '.gitattributes': '* filter=evil\n' });
  begin(sub);
  commitAll(sub);
  for (const key of ['filter.evil.clean', 'filter.evil.process', 'core.fsmonitor', 'core.sshCommand'])
    personGit(sub, 'config', key, `touch ${ran}`);
  writeFiles(sub, { 'work.txt': 'changed\n' });
  expect(value(await session.commit(task, 'schema')).repositories).toEqual(['sub']);
  expect(existsSync(ran)).toBe(false);
});

test('a file whose path is too long for git is named before the merge, and its worktree is kept', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.snapshot(task, 'before'));
  const deep =
    "const {chdir} = process, fs = require('node:fs'); for (let i = 0; i < 25; i += 1) { fs.mkdirSync('d'.repeat(200)); chdir('d'.repeat(200)); } fs.writeFileSync('lost.txt', 'work')";
  execFileSync(process.execPath, ['-e', deep], { cwd: directory });
  onTestFinished(() => void execFileSync('rm', ['-rf', '--', join(directory, 'd'.repeat(200))]));
  writeFiles(directory, { 'n.txt': 'n\n' });
  const { problems } = value(await session.snapshot(task, 'after'));
  expect(problems).toEqual([
    expect.stringMatching(/^d{100}… \(\d+ characters\) cannot be read and is not recorded\.$/),
  ]);
  expect(value(await session.commit(task, 'one'))).toMatchObject({
    repositories: [],
    unread: [expect.stringMatching(/^d{200}\//)],
  });
  expect(await session.merge(task)).toMatchObject({ kind: 'merged', files: ['n.txt'] });
  expect(faultOf(await session.clean(task))).toMatch(
    / is kept: it contains d{100}… .* which git cannot read$/,
  );
  execFileSync('rm', ['-rf', '--', join(directory, 'd'.repeat(200))]);
  value(await session.clean(task));
});
