import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import { readChanges } from '../../src/cli/session/read-changes.ts';
import {
  type ChangesWorld,
  changesWorld,
  faultOf,
  personGit,
  personsState,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

/** The long tests only: what other tests of this file show in part. */
const long = test.runIf(isLongForm);

const task = { task: 'schema', attempt: 1 };

const notesOf = async ({ changes, repo }: ChangesWorld, workspace = repo) => {
  const { worktrees, snapshots, notes } = await changes.examine(workspace);
  return {
    worktrees: worktrees.ok ? 'possible' : worktrees.reason,
    snapshots: snapshots.ok,
    notes: notes.map(({ kind }) => kind),
    sentences: notes.map(({ sentence }) => sentence).join(' '),
  };
};

/** One attempt from its worktree to the merge; returns the directory of what is merged. */
const doTask = async (
  session: SessionChanges,
  files: Readonly<Record<string, string | null>>,
  attempt = task,
): Promise<string> => {
  const { directory } = value(await session.prepare(attempt));
  value(await session.snapshot(attempt, 'before'));
  writeFiles(directory, files);
  value(await session.commit(attempt, attempt.task));
  expect(await session.merge(attempt)).toMatchObject({ kind: 'merged' });
  return session.worktree?.directory ?? '';
};

test('a clean repository has no notes', async () => {
  const world = changesWorld(template);
  expect(await notesOf(world)).toMatchObject({ worktrees: 'possible', snapshots: true, notes: [] });
});

test('commits without the name of the person, or without their signature, are said beforehand', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'config', '--unset', 'user.email');
  personGit(world.repo, 'config', 'user.useConfigOnly', 'true');
  writeFiles(world.top, { 'home/.gitconfig': '[commit]\n\tgpgSign = yes\n' });
  const { notes, sentences } = await notesOf(world);
  expect(notes).toEqual(['no-identity', 'unsigned']);
  expect(sentences).toMatch(/commits are by ralph-tui@localhost.*You sign commits/);
});

test('a directory without git, and a bare repository, record nothing and say why', async () => {
  const world = changesWorld(template);
  expect(await notesOf(world, join(world.top, 'home'))).toMatchObject({
    worktrees: expect.stringContaining('This is not a git repository'),
    snapshots: false,
  });
  personGit(world.repo, 'clone', '-q', '--bare', '.', '../bare');
  expect(await notesOf(world, join(world.top, 'bare'))).toMatchObject({
    worktrees: expect.stringContaining('This is a bare repository'),
    notes: ['bare'],
  });
  const opened = await world.changes.open({
    workspace: join(world.top, 'home'),
    session: 's',
    isolation: 'shared',
    copy: [],
    patches: '',
    secrets: [],
  });
  expect(faultOf(opened)).toMatch(/^This is not a git repository/);
});

test('a repository without a commit has snapshots but no worktrees', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'update-ref', '-d', 'HEAD');
  expect(await notesOf(world)).toMatchObject({
    worktrees: expect.stringContaining('no commits yet'),
    snapshots: true,
    notes: ['no-commit', 'dirty'],
  });
});

test('a dirty tree is named, stays as it is, and is not in the worktrees', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'a.txt': 'mine\n', 'fresh.txt': 'f\n', '.ralph-sessions/x': 'x' });
  expect((await notesOf(world)).sentences).toMatch(/^2 files differ from the last commit/);
  const before = personsState(world.repo);
  const directory = await doTask(await world.open(), { 'a.txt': 'task\n' });
  expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('task\n');
  expect(existsSync(join(directory, 'fresh.txt'))).toBe(false);
  expect(personsState(world.repo)).toEqual(before);
});

test('the plan that runs is no file that differs, and an edited copy of it is one', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'plan.yaml': 'goal: mine\n', 'other.yaml': 'goal: other\n' });
  const sentences = async (plan: string | null) =>
    (await world.changes.examine(world.repo, plan)).notes.map(({ sentence }) => sentence).join(' ');
  expect(await sentences(null)).toMatch(/^2 files differ/);
  expect(await sentences('goal: mine\n')).toMatch(/^One file differs/);
});

test('issues that this program keeps are not called changes of the person', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.ralph/issues/1.md': 'one\n', '.ralph/.gitignore': 'constraint-scan.jsonl\n' });
  expect((await notesOf(world)).notes).toEqual([]);
  writeFiles(world.repo, { '.ralph/config.yaml': '{}\n' });
  personGit(world.repo, 'add', '-A');
  personGit(world.repo, 'commit', '-qm', 'issues');
  writeFiles(world.repo, { '.ralph/issues/1.md': 'two\n', '.ralph/issues/1.comments.jsonl': '{}\n' });
  expect((await notesOf(world)).notes).toEqual([]);
  writeFiles(world.repo, { '.ralph/config.yaml': 'host: background\n' });
  expect((await notesOf(world)).sentences).toMatch(/^One file differs/);
});

test('a detached head, a merge under way and attributes of LFS are noted', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'checkout', '-q', '--detach');
  writeFiles(world.repo, {
    '.git/MERGE_HEAD': personGit(world.repo, 'rev-parse', 'HEAD'),
    '.gitattributes': '*.bin filter=lfs\n',
  });
  expect((await notesOf(world)).notes).toEqual(['busy', 'dirty', 'detached', 'lfs']);
});

test('the workspace may be a directory inside a linked worktree', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'worktree', 'add', '-q', '-b', 'side', '../side');
  const workspace = join(world.top, 'side/src');
  expect((await notesOf(world, workspace)).notes).toEqual(['linked-worktree']);
  const session = await world.open({ workspace });
  const directory = await doTask(session, { 'd.txt': 'd\n', '../top.txt': 't\n' });
  expect(directory).toMatch(/merged\/src$/);
  expect(existsSync(join(directory, 'd.txt'))).toBe(true);
  const [range] = value(await session.ranges({ of: 'session' }));
  const files = value(await session.changedFiles(range ?? { from: '', to: '' }));
  expect(files.map(({ path }) => path).sort()).toEqual(['../top.txt', 'd.txt']);
  const patch = new TextDecoder().decode(value(await session.patch(range ?? { from: '', to: '' })));
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/d.txt b/d.txt',
    'diff --git a/../top.txt b/../top.txt',
  ]);
  const one = value(await session.patch(range ?? { from: '', to: '' }, { files: ['../top.txt'] }));
  expect(new TextDecoder().decode(one).match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/../top.txt b/../top.txt',
  ]);
  expect(existsSync(join(workspace, 'd.txt'))).toBe(false);
});

long('submodules stay as recorded', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'clone', '-q', '.', '../library');
  personGit(
    world.repo,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    '../library',
    'lib',
  );
  personGit(world.repo, 'commit', '-qm', 'lib');
  expect((await notesOf(world)).notes).toEqual(['submodules']);
  writeFiles(world.repo, { 'lib/a.txt': 'mine\n' });
  expect((await notesOf(world)).notes).toEqual(['dirty', 'submodules', 'dirty-submodules']);
  const session = await world.open();
  await doTask(session, { 'd.txt': 'd\n' });
  const [range] = value(await session.ranges({ of: 'session' }));
  expect(value(await session.changedFiles(range ?? { from: '', to: '' }))).toMatchObject([{ path: 'd.txt' }]);
  value(await session.clean(task));
});

long('a shallow clone and a sparse checkout work, with the same part of the files', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'commit', '-q', '--allow-empty', '-m', 'second');
  renameSync(world.repo, join(world.top, 'origin'));
  personGit(
    join(world.top, 'origin'),
    'clone',
    '-q',
    '--depth',
    '1',
    `file://${world.top}/origin`,
    '../repo',
  );
  personGit(world.repo, 'config', 'user.name', 'kim');
  personGit(world.repo, 'config', 'user.email', 'kim@host');
  personGit(world.repo, 'sparse-checkout', 'set', 'src');
  expect((await notesOf(world)).notes).toEqual(['shallow', 'sparse']);
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  expect(existsSync(join(directory, 'src/c.txt'))).toBe(true);
  const merged = await doTask(session, { 'src/d.txt': 'd\n' });
  expect(existsSync(join(merged, 'src/d.txt'))).toBe(true);
  const [range] = value(await session.ranges({ of: 'session' }));
  expect(value(await session.changedFiles(range ?? { from: '', to: '' }))).toMatchObject([
    { path: 'src/d.txt' },
  ]);
});

test('where names ignore case, tasks that differ in case have branches that differ in more', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'config', 'core.ignorecase', 'true');
  personGit(
    world.repo,
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${personGit(world.repo, 'hash-object', 'a.txt').trim()},A.txt`,
  );
  expect(await notesOf(world)).toMatchObject({
    notes: expect.arrayContaining(['ignores-case', 'names-differ-in-case']),
  });
  const session = await world.open();
  const upper = value(await session.prepare({ task: 'Schema', attempt: 1 }));
  const lower = value(await session.prepare(task));
  expect([upper.branch, lower.branch]).toEqual([
    'ralph-attempt/261122-101500/=schema/1',
    'ralph-attempt/261122-101500/schema/1',
  ]);
  expect(upper.directory.toLowerCase()).not.toBe(lower.directory.toLowerCase());
  expect(
    value(await session.attempts())
      .map((each) => each.task)
      .sort(),
  ).toEqual(['Schema', 'schema']);
});

long('ids that a ref may not hold have names that a ref may hold', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  for (const id of ['a..b', 'end.', 'x.lock', 'task-1@2'])
    value(await session.prepare({ task: id, attempt: 1 }));
  expect(
    value(await session.attempts())
      .map((each) => each.task)
      .sort(),
  ).toEqual(['a..b', 'end.', 'task-1@2', 'x.lock']);
});

test('a branch of the person in the way is named, and nothing is made', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'branch', 'ralph');
  const before = personsState(world.repo);
  await expect(world.open()).rejects.toThrow(
    'the repository already has a branch ralph, which the session needs; rename it: `git branch -m ralph NEW`',
  );
  expect(personsState(world.repo)).toEqual(before);
  expect(existsSync(join(world.top, 'state/worktrees'))).toBe(false);
  personGit(world.repo, 'branch', '-m', 'ralph', 'ralph/261122-101500');
  await expect(world.open()).rejects.toThrow(
    'the repository already has a branch ralph/261122-101500, which the session needs; start again: another session gets another branch',
  );
});

test('programs of .git/config never run, and keep a session from worktrees', async () => {
  const world = changesWorld(template);
  const filter = `filter.up.clean=tr a-z A-Z && touch ${world.top}/ran`;
  personGit(world.repo, 'config', 'filter.up.clean', filter.slice(filter.indexOf('=') + 1));
  writeFiles(world.repo, { '.gitattributes': '*.up filter=up\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'attributes');
  expect(await notesOf(world)).toMatchObject({
    worktrees: expect.stringContaining(filter),
    notes: ['filters'],
  });
  // What is looked at before any trust, as by doctor, reads changed files too.
  writeFiles(world.repo, { 'known.up': 'abc\n' });
  personGit(world.repo, '-c', 'filter.up.clean=cat', 'add', '.');
  writeFiles(world.repo, { 'known.up': 'abd\n' });
  expect(await notesOf(world)).toMatchObject({ notes: expect.arrayContaining(['dirty']) });
  const ref = {
    of: { task: null, attempt: null },
    iteration: 1,
    files: ['known.up'],
    seen: [],
    commit: null,
  };
  expect((await readChanges(world.repo, ref)).diff).toContain('known.up');
  expect(existsSync(join(world.top, 'ran'))).toBe(false);
  const shared = await world.open({ isolation: 'shared', session: 'shared' });
  writeFiles(world.repo, { 'x.up': 'abc\n' });
  value(await shared.snapshot(task, 'before'));
  expect(existsSync(join(world.top, 'ran'))).toBe(false);
  await expect(world.open()).rejects.toThrow(/which ralph-tui never runs/);
});

long('nested repositories and files that cannot be read are named and hold nothing up', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  mkdirSync(join(world.repo, 'nested'));
  personGit(join(world.repo, 'nested'), 'init', '-q');
  writeFiles(world.repo, { 'nested/x': 'x', 'z.txt': 'z\n' });
  const { problems, commit } = value(await session.snapshot(task, 'after'));
  expect(problems).toEqual(['nested is a git repository without a commit: its files are not recorded.']);
  expect(personGit(world.repo, 'ls-tree', '--name-only', commit)).toContain('z.txt');
});

test('a merge that git refuses names the folders of which it tells', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.snapshot(task, 'before'));
  rmSync(join(directory, 'src'), { recursive: true });
  writeFiles(directory, { src: 'a file now\n' });
  value(await session.commit(task, 'one'));
  expect(await session.merge(task)).toMatchObject({ kind: 'merged' });
  writeFiles(world.repo, { 'src/mine.txt': 'mine\n' });
  expect(faultOf(await session.finish({ how: 'merge', into: 'main', message: 'all' }))).toMatch(
    /would lose untracked files in them: src$/,
  );
});

test('the branch of the session comes to the person only when asked, and never over their changes', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, { 'a.txt': 'task\n', 'n.txt': 'n\n' });
  const finish = (into = 'main') => session.finish({ how: 'merge', into, message: 'Merge the session' });
  expect(faultOf(await finish('other'))).toBe('main is checked out here, not other');
  writeFiles(world.repo, { 'a.txt': 'mine\n' });
  const before = personsState(world.repo);
  expect(faultOf(await finish())).toBe('a.txt in your workspace would be overwritten');
  expect(personsState(world.repo)).toEqual(before);
  personGit(world.repo, 'checkout', '-q', 'a.txt');
  writeFiles(world.repo, { 'b.txt': 'kept\n' });
  personGit(world.repo, 'commit', '-q', '--allow-empty', '-m', 'meanwhile');
  writeFiles(world.repo, { '.git/hooks/post-merge': 'evil' });
  const refused = await finish();
  expect(faultOf(refused)).toBe(
    'the hook post-merge is new since the session began, and git would act on it',
  );
  value(await session.acceptConfiguration(refused.ok ? '' : (refused.fault.state ?? '')));
  const head = personGit(world.repo, 'rev-parse', 'HEAD');
  const unwanted = { how: 'merge', into: 'main', message: 'M', isWanted: async () => false } as const;
  expect(faultOf(await session.finish(unwanted))).toBe('the merge was called off before it moved anything');
  expect(personGit(world.repo, 'rev-parse', 'HEAD')).toBe(head);
  expect(value(await finish())).toMatchObject({ how: 'merged', branch: 'main', files: ['a.txt', 'n.txt'] });
  expect(readFileSync(join(world.repo, 'b.txt'), 'utf8')).toBe('kept\n');
  expect(personGit(world.repo, 'log', '-1', '--format=%s %an')).toBe('Merge the session kim\n');
  expect(value(await finish())).toMatchObject({ files: [] });
  const request = async () => value(await session.finish({ how: 'pull-request', title: 'T', base: 'main' }));
  const create = ['gh', 'pr', 'create', '--base', 'main', '--head', 'ralph/261122-101500'];
  const commands = (remote: string, ...first: readonly string[]) =>
    [...first, 'ralph/261122-101500']
      .map((branch): readonly string[] => ['git', 'push', '--set-upstream', remote, branch])
      .concat([[...create, '--title', 'T', '--fill-verbose']]);
  expect(await request()).toEqual({
    how: 'pull-request',
    branch: 'ralph/261122-101500',
    hasRemote: false,
    commands: commands('origin', 'main'),
  });
  for (const remote of ['upstream', 'origin']) {
    personGit(world.repo, 'remote', 'add', remote, world.top);
    expect(await request()).toMatchObject({ hasRemote: true, commands: commands(remote, 'main') });
  }
  // A pull request against a branch that the remote knows needs no push of it.
  personGit(world.repo, 'update-ref', 'refs/remotes/upstream/main', 'main');
  expect(await request()).toMatchObject({ commands: commands('origin') });
});

test('what a merge would make of the branch of the person stands in a worktree first, and exactly that is merged', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, { 'n.txt': 'n\n' });
  const merge = { into: 'main', message: 'Merge the session' };
  const mine = { task: 'merge', attempt: 1 };
  // The branch of the person has not moved: what is there was verified.
  expect(value(await session.propose(mine, merge))).toBe(null);
  const commitByPerson = (path: string): void => {
    writeFiles(world.repo, { [path]: 'mine\n' });
    personGit(world.repo, 'add', path);
    personGit(world.repo, 'commit', '-q', '-m', path);
  };
  commitByPerson('p.txt');
  const before = personsState(world.repo);
  const first = value(await session.propose(mine, merge));
  const textIn = (path: string) => readFileSync(join(first?.directory ?? '', path), 'utf8');
  expect([textIn('n.txt'), textIn('p.txt')]).toEqual(['n\n', 'mine\n']);
  expect(personsState(world.repo)).toEqual(before);
  // Asked again, also after a crash that lost the worktree, it is the same commit.
  rmSync(first?.directory ?? '', { recursive: true });
  const reopened = await world.open();
  const again = value(await reopened.propose(mine, merge));
  expect(again).toMatchObject({ commit: first?.commit, directory: first?.directory, existed: false });
  commitByPerson('later.txt');
  const finish = () => reopened.finish({ how: 'merge', ...merge, proposed: mine });
  expect(faultOf(await finish())).toBe('a branch has moved since its merge was verified');
  // The person went back to where the session began: that merge is a fast-forward, and its tip was verified.
  const moved = personGit(world.repo, 'rev-parse', 'HEAD').trim();
  personGit(world.repo, 'reset', '-q', '--hard', 'HEAD~2');
  expect(value(await finish())).toMatchObject({ how: 'merged', files: ['n.txt'] });
  personGit(world.repo, 'reset', '-q', '--hard', moved);
  const second = value(await reopened.propose(mine, merge));
  expect(textIn('later.txt')).toBe('mine\n');
  expect(value(await finish())).toMatchObject({ how: 'merged', commit: second?.commit });
  expect(personGit(world.repo, 'log', '--first-parent', '--format=%s', '-3').trim().split('\n')).toEqual([
    'Merge the session',
    'later.txt',
    'p.txt',
  ]);
  value(await reopened.clean(mine));
  expect(existsSync(first?.directory ?? '')).toBe(false);
});

test('an ignored file of the person in the way is named, and neither this program nor a command it prints overwrites it', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.snapshot(task, 'before'));
  writeFiles(directory, { 'keys.env': 'theirs\n', '.gitignore': '*.log\n', 'a.txt': 'theirs\n' });
  value(await session.commit(task, 'schema'));
  await session.merge(task);
  writeFiles(world.repo, { '.gitignore': '*.env\n', 'keys.env': 'mine\n', 'a.txt': 'mine\n' });
  // What also conflicts would else print the command of git that overwrites it.
  for (const how of ['merge', 'squash', 'merge'] as const) {
    expect(await session.finish({ how, into: 'main', message: 'Merge' })).toMatchObject({
      fault: {
        what: 'keys.env in your workspace is ignored by git and would be overwritten',
        hint: 'move it away, then try again',
      },
    });
    expect(readFileSync(join(world.repo, 'keys.env'), 'utf8')).toBe('mine\n');
    if (how === 'squash') personGit(world.repo, 'commit', '-qam', 'mine');
  }
  expect(value(await session.finish({ how: 'keep' }))).toMatchObject({ inTheWay: ['keys.env'] });
  renameSync(join(world.repo, 'keys.env'), join(world.repo, 'other.log'));
  expect(value(await session.finish({ how: 'keep' }))).toMatchObject({ inTheWay: [] });
  expect(faultOf(await session.finish({ how: 'merge', into: 'main', message: 'Merge' }))).toMatch(
    /changed the same lines in .*a\.txt/,
  );
});

test.each(['at the head', 'behind'])(
  'squash puts one commit on the branch of the person, once, while the session began %s',
  async (where) => {
    const world = changesWorld(template);
    const session = await world.open();
    await doTask(session, { 'a.txt': 'task\n', 'n.txt': 'n\n' });
    if (where === 'behind') personGit(world.repo, 'commit', '-q', '--allow-empty', '-m', 'meanwhile');
    const head = personGit(world.repo, 'rev-parse', 'HEAD');
    const finish = () => session.finish({ how: 'squash', into: 'main', message: 'All of it' });
    expect(value(await finish())).toMatchObject({ how: 'merged', files: ['a.txt', 'n.txt'] });
    expect(personGit(world.repo, 'log', '-1', '--format=%P %s')).toBe(`${head.trim()} All of it\n`);
    expect(value(await finish())).toMatchObject({ files: [] });
    expect(personGit(world.repo, 'rev-parse', 'HEAD^')).toBe(head);
    expect(personGit(world.repo, 'status', '--porcelain')).toBe('');
  },
);

test.each(['squash', 'merge'] as const)(
  'what came after a squash is brought by a %s without the changes that the person has already',
  async (how) => {
    const world = changesWorld(template);
    const session = await world.open();
    const finish = (way: typeof how) => session.finish({ how: way, into: 'main', message: 'All of it' });
    await doTask(session, { 'a.txt': 'task\n' });
    value(await finish('squash'));
    writeFiles(world.repo, { 'b.txt': 'mine\n' });
    personGit(world.repo, 'commit', '-qam', 'mine');
    await doTask(session, { 'a.txt': 'later\n', 'n.txt': 'n\n' }, { task: 'later', attempt: 1 });
    expect(value(await finish(how))).toMatchObject({ how: 'merged', files: ['a.txt', 'n.txt'] });
    const files = ['a.txt', 'b.txt', 'n.txt'].map((name) => readFileSync(join(world.repo, name), 'utf8'));
    expect(files).toEqual(['later\n', 'mine\n', 'n\n']);
    await doTask(session, { 'a.txt': 'last\n' }, { task: 'last', attempt: 1 });
    expect(value(await finish('squash'))).toMatchObject({ files: ['a.txt'] });
    expect(value(await finish('squash'))).toMatchObject({ files: [] });
    expect(personGit(world.repo, 'status', '--porcelain')).toBe('');
  },
);

test('a session that conflicts with the branch of the person leaves it alone', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, { 'a.txt': 'task\n' });
  writeFiles(world.repo, { 'a.txt': 'mine\n' });
  personGit(world.repo, 'commit', '-qam', 'mine');
  const before = personsState(world.repo);
  const refused = await session.finish({ how: 'merge', into: 'main', message: 'M' });
  expect(faultOf(refused)).toBe('main and the session changed the same lines in a.txt');
  expect(personsState(world.repo)).toEqual(before);
});
