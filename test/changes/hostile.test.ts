import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGit } from '../../src/changes/git/git.io.ts';
import type { Merged } from '../../src/changes/merged.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  changesWorld,
  everything,
  faultOf,
  personGit,
  personsState,
  value,
  worldAt,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

/** The long tests only: what other tests of this file show in part. */
const long = test.runIf(isLongForm);

const task = { task: 'schema', attempt: 1 };

const prepare = async (session: SessionChanges, attempt = task): Promise<string> => {
  const { directory } = value(await session.prepare(attempt));
  value(await session.snapshot(attempt, 'before'));
  return directory;
};

const commitAndMerge = async (session: SessionChanges, attempt = task) => {
  value(await session.commit(attempt, 'schema'));
  return session.merge(attempt);
};

const filesOf = async (session: SessionChanges) => {
  const [range] = value(await session.ranges({ of: 'attempt', ...task }));
  return value(await session.changedFiles(range ?? { from: '', to: '' }));
};

test('hooks, aliases, signing and the environment of the person do not reach our git', async () => {
  const world = changesWorld(template);
  const ran = join(world.top, 'ran');
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'post-merge',
    'reference-transaction',
    'post-index-change',
    'fsmonitor',
  ])
    writeFileSync(join(world.repo, '.git/hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const settings = {
    'core.hooksPath': '.git/hooks',
    'core.fsmonitor': '.git/hooks/fsmonitor',
    'alias.merge-tree': `!touch ${ran}`,
    'commit.gpgSign': 'true',
    'gpg.program': `${world.repo}/.git/hooks/pre-commit`,
    'diff.external': `${world.repo}/.git/hooks/pre-commit`,
    'core.pager': `touch ${ran}`,
  };
  for (const [key, setting] of Object.entries(settings)) personGit(world.repo, 'config', key, setting);
  rmSync(ran, { force: true });
  const misled = createGit({
    PATH: process.env['PATH'],
    HOME: join(world.top, 'home'),
    GIT_DIR: '/nowhere',
    GIT_INDEX_FILE: '/nowhere',
    GIT_WORK_TREE: '/nowhere',
    GIT_EXTERNAL_DIFF: `touch ${ran}`,
  });
  const session = await worldAt(world.top, (ports) => ({ ...ports, git: misled })).open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged' });
  const [range] = value(await session.ranges({ of: 'session' }));
  expect(new TextDecoder().decode(value(await session.patch(range ?? { from: '', to: '' })))).toContain('+x');
  value(await session.finish({ how: 'merge', into: 'main', message: 'M' }));
  value(await session.clean(task));
  expect(existsSync(ran)).toBe(false);
});

long('without a user name the commits are by ralph-tui', async () => {
  const world = changesWorld(template);
  for (const key of ['user.name', 'user.email']) personGit(world.repo, 'config', '--unset', key);
  personGit(world.repo, 'config', 'user.useConfigOnly', 'true');
  const session = await world.open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged' });
  expect(personGit(world.repo, 'log', '-1', '--format=%an %ae', 'ralph/261122-101500')).toBe(
    'ralph-tui ralph-tui@localhost\n',
  );
});

test.each([
  [
    '.git/config',
    (repo: string) => personGit(repo, 'config', 'core.sshCommand', 'evil'),
    '.git/config changed',
  ],
  [
    'a hook',
    (repo: string) => writeFiles(repo, { '.git/hooks/pre-push': 'evil' }),
    'the hook pre-push is new',
  ],
  [
    'attributes',
    (repo: string) => writeFiles(repo, { '.git/info/attributes': '* filter=x' }),
    '.git/info/attributes changed',
  ],
  [
    'where a remote leads',
    (repo: string) => personGit(repo, 'config', 'remote.origin.pushurl', '/evil'),
    'the address of the remote origin changed',
  ],
  [
    'what git leaves out',
    (repo: string) => writeFiles(repo, { '.git/info/exclude': 'lib\n' }),
    '.git/info/exclude changed',
  ],
  [
    'a hook that core.hooksPath leads to',
    (repo: string) => writeFiles(repo, { '.githooks/pre-commit': 'evil' }),
    'the hook pre-commit changed',
  ],
  [
    'what git leaves out in all repositories',
    (repo: string) => writeFiles(repo, { '../home/.config/git/ignore': 'lib\n' }),
    'TOP/home/.config/git/ignore changed',
  ],
  [
    'attributes of files in all repositories, through a link',
    (repo: string) => writeFiles(repo, { '../home/mine/attributes': '* filter=x\n' }),
    'TOP/home/.attributes changed',
  ],
  [
    'programs that git runs in all repositories',
    (repo: string) => personGit(repo, 'config', '--global', 'filter.x.clean', 'evil'),
    'your own configuration of git changed',
  ],
  [
    'where git looks for what it leaves out, in a file that comes',
    (repo: string) => writeFiles(repo, { '../home/more.inc': '[core]\n\texcludesFile = ~/lib\n' }),
    'your own configuration of git changed',
  ],
])('a task that changes %s stops the merge until the person accepts it', async (_, change, words) => {
  const world = changesWorld(template);
  personGit(world.repo, 'config', 'core.hooksPath', '.githooks');
  personGit(world.repo, 'remote', 'add', 'origin', '/mine');
  writeFiles(world.repo, { '.githooks/pre-commit': 'mine', '../home/mine/attributes': '' });
  symlinkSync('mine/attributes', join(world.top, 'home/.attributes'));
  personGit(world.repo, 'config', '--global', 'core.attributesFile', '~/.attributes');
  personGit(world.repo, 'config', '--global', 'include.path', 'more.inc');
  const first = await world.open();
  writeFiles(await prepare(first), { 'a.txt': 'x\n' });
  change(world.repo);
  const refused = {
    kind: 'refused',
    reason: `Nothing was merged: ${words.replaceAll('TOP', world.top)} since the session began, and git would act on it. Review it, then accept the change.`,
    unaccepted: expect.any(String),
  };
  expect(await commitAndMerge(first)).toEqual(refused);
  const session = await world.open();
  const again = await session.merge(task);
  expect(again).toEqual(refused);
  value(await session.acceptConfiguration(unacceptedIn(again)));
  expect(await session.merge(task)).toMatchObject({ kind: 'merged' });
});

const unacceptedIn = (merged: Merged): string =>
  merged.kind === 'refused' ? (merged.unaccepted ?? '') : merged.kind;

test('what changes after a person looked is not accepted with what they saw, though the sentence is the same', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  writeFiles(world.repo, { '.git/hooks/post-commit': 'mine' });
  const shown = await commitAndMerge(session);
  writeFiles(world.repo, { '.git/hooks/post-commit': 'evil' });
  value(await session.acceptConfiguration(unacceptedIn(shown)));
  const again = await session.merge(task);
  expect(again).toMatchObject({ kind: 'refused', reason: shown.kind === 'refused' ? shown.reason : '' });
  value(await session.acceptConfiguration(unacceptedIn(again)));
  expect(await session.merge(task)).toMatchObject({ kind: 'merged' });
});

test('the refusal names each thing that changed, not the first alone', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  writeFiles(world.repo, { '.git/hooks/post-commit': 'mine', '.git/hooks/post-merge': 'mine' });
  personGit(world.repo, 'config', 'core.editor', 'evil');
  expect(await commitAndMerge(session)).toMatchObject({
    reason: expect.stringContaining(
      '.git/config changed, the hook post-commit is new and the hook post-merge is new since the session began',
    ),
  });
});

test('what lies in the worktree of a conflict beside its commit is kept in a private ref before git puts the files back', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const other = { task: 'html', attempt: 1 };
  const directory = await prepare(session);
  writeFiles(await prepare(session, other), { 'a.txt': 'theirs\n' });
  writeFiles(directory, { 'a.txt': 'ours\n' });
  expect(await commitAndMerge(session, other)).toMatchObject({ kind: 'merged' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'conflict' });
  writeFiles(directory, { 'late.txt': 'written after the commit\n' });
  value(await session.openConflict(task));
  expect(existsSync(join(directory, 'late.txt'))).toBe(false);
  const [ref = ''] =
    personGit(world.repo, 'for-each-ref', '--format=%(refname)').match(/^.*schema.*\/left$/m) ?? [];
  expect(personGit(world.repo, 'show', `${ref}:late.txt`)).toBe('written after the commit\n');
});

test('a removed worktree leaves no file with its number', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await prepare(session);
  const numbers = () =>
    readdirSync(world.top, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.slots\/\d+$/.test(path),
    );
  expect(numbers()).toHaveLength(1);
  value(await session.clean(task));
  expect(numbers()).toEqual([]);
});

test('a file that .git/config includes is part of it, wherever it lies and whenever it changes', async () => {
  const world = changesWorld(template);
  const included = join(world.top, 'shared.config');
  writeFiles(world.top, { 'shared.config': '[alias]\n\tst = status\n' });
  personGit(world.repo, 'config', 'include.path', included);
  const session = await world.open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged' });
  const next = { task: 'html', attempt: 1 };
  writeFiles(await prepare(session, next), { 'b.txt': 'y\n' });
  writeFiles(world.top, { 'shared.config': '[core]\n\tsshCommand = evil\n' });
  expect(await commitAndMerge(session, next)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('.git/config changed since the session began'),
  });
});

long('a branch that the person pushed or follows does not stop the merge', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  writeFiles(await prepare(session), { 'a.txt': 'x\n' });
  personGit(world.repo, 'remote', 'add', 'origin', '/nowhere');
  personGit(world.repo, 'config', 'branch.main.remote', 'origin');
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged' });
});

test('a filter that a task puts into .git/config never runs', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  personGit(world.repo, 'config', 'filter.evil.clean', `touch ${world.top}/ran; cat`);
  writeFiles(directory, { '.gitattributes': '* filter=evil\n', 'a.txt': 'x\n' });
  value(await session.snapshot(task, 'after'));
  expect((await filesOf(session)).map(({ path }) => path)).toEqual(['.gitattributes', 'a.txt']);
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'refused' });
  expect(existsSync(join(world.top, 'ran'))).toBe(false);
});

test('a worktree whose .git leads elsewhere is still read by its own repository', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  personGit(world.repo, 'clone', '-q', '.', '../other');
  personGit(join(world.top, 'other'), 'config', 'core.fsmonitor', `touch ${world.top}/ran`);
  writeFileSync(join(directory, '.git'), `gitdir: ${world.top}/other/.git\n`);
  writeFiles(directory, { 'a.txt': 'x\n' });
  const other = everything(join(world.top, 'other'));
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged', files: ['a.txt'] });
  value(await session.clean(task));
  expect(existsSync(directory)).toBe(false);
  expect(everything(join(world.top, 'other'))).toEqual(other);
});

test('commits that an agent made are kept below the commit of the attempt', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  writeFiles(directory, { 'a.txt': 'x\n' });
  personGit(directory, 'commit', '-qam', 'by the agent');
  writeFiles(directory, { 'b.txt': 'y\n' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged', files: ['a.txt', 'b.txt'] });
  expect(personGit(world.repo, 'log', '--format=%s', 'ralph/261122-101500')).toBe(
    'Merge schema (attempt 1)\nschema\nby the agent\nfirst\n',
  );
});

test.each([
  ['of issues', 'ralph/iss-1', 'schema\n\nMend it\n\nFixes `#7`, closes: `kim/other#8`\n'],
  ['of tasks, which a person pushes', undefined, 'Mend it\n\nFixes #7, closes: kim/other#8\n'],
])('a commit of an agent on a branch %s closes only what a person lets it', async (_, branch, words) => {
  const world = changesWorld(template);
  const session = await world.open(branch === undefined ? {} : { branch });
  const directory = await prepare(session);
  writeFiles(directory, { 'a.txt': 'x\n' });
  personGit(directory, 'commit', '-qam', 'Mend it\n\nFixes #7, closes: kim/other#8');
  writeFiles(directory, { 'b.txt': 'y\n' });
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged', files: ['a.txt', 'b.txt'] });
  const said = personGit(world.repo, 'log', '--format=%B', `main..${session.worktree?.branch}`);
  expect(said).toContain(words);
  expect(said.match(/Mend it/g)).toHaveLength(1);
});

test('nothing outside the worktree of a task is ever removed', async () => {
  const world = changesWorld(template);
  const outside = join(world.top, 'precious');
  writeFiles(outside, { 'deep/file.txt': 'precious\n' });
  writeFiles(join(world.repo, 'ignored'), { 'kept.log': 'k\n' });
  const session = await world.open();
  const directory = await prepare(session);
  symlinkSync(outside, join(directory, 'link'));
  symlinkSync(world.repo, join(directory, 'src/repo'));
  const watched = () => [everything(outside), personsState(world.repo)];
  const before = watched();
  value(await session.clean(task));
  expect([existsSync(directory), watched()]).toEqual([false, before]);
  const second = { ...task, attempt: 2 };
  const moved = await prepare(session, second);
  renameSync(moved, join(world.top, 'moved'));
  symlinkSync(outside, moved);
  expect(faultOf(await session.clean(second))).toContain(
    'is a link or points elsewhere, so it was not removed',
  );
  expect(lstatSync(moved).isSymbolicLink()).toBe(true);
  expect(watched()).toEqual(before);
  value(await session.close());
  expect(watched()).toEqual(before);
});

long('whatever a session does, what was there before it stays', async () => {
  const world = changesWorld(template);
  // What lies around: a worktree of the person, another session with work that nobody saved, and links out of the worktrees.
  personGit(world.repo, 'worktree', 'add', '-q', '-b', 'mine', '../mine');
  writeFiles(world.top, { 'precious/deep/file.txt': 'precious\n', 'mine/new.txt': 'new\n' });
  writeFiles(world.repo, { 'kept.log': 'ignored\n', 'new.txt': 'mine\n', 'b.txt': 'changed\n' });
  const other = await world.open({ session: 'other' });
  writeFiles(value(await other.prepare(task)).directory, { 'unsaved.txt': 'u\n', 'b.txt': null });
  const before = everything(world.top);
  /** Nothing is gone or changed but, at the end, what the person asked for. */
  const isWhole = (but: RegExp = /^$/): void => {
    const now = everything(world.top);
    const paths = Object.keys(before).filter((path) => now[path] !== before[path] && !but.test(path));
    expect(paths).toEqual([]);
  };

  const session = await world.open();
  const leadOut = (directory: string, name: string): void => {
    symlinkSync(join(world.top, 'precious'), join(directory, `${name}-out`));
    symlinkSync(world.repo, join(directory, `src/${name}-repo`));
  };
  for (const name of ['left', 'right']) {
    const attempt = { task: name, attempt: 1 };
    const directory = await prepare(session, attempt);
    writeFiles(directory, { 'a.txt': `${name}\n`, [`${name}.txt`]: 'x\n' });
    leadOut(directory, name);
    value(await session.snapshot(attempt, 'after'));
    value(await session.commit(attempt, name));
    await session.merge(attempt);
  }
  isWhole();
  value(await session.openConflict({ task: 'right', attempt: 1 }));
  await session.resolve({ task: 'right', attempt: 1 }, { take: 'task' });
  const work = { task: 'right', attempt: null, dependants: [] };
  value(await session.undo(work));
  value(await session.redo(work));
  value(await session.takeBack({ task: 'nobody', attempt: 1 }));
  isWhole();
  leadOut(await prepare(session), 'last');
  for (const name of ['left', 'right', 'schema']) value(await session.clean({ task: name, attempt: 1 }));
  value(await session.close());
  // The snapshots of a session that can still be opened stay, as `doctor --clear` leaves them.
  for (const orphan of value(await world.changes.findOrphans(world.repo, ['other'])))
    if (orphan.kind !== 'refs') value(await world.changes.clearOrphan(world.repo, orphan));
  isWhole();
  value(await (await world.open()).finish({ how: 'merge', into: 'main', message: 'M' }));
  isWhole(/^repo\/(a\.txt|\.git\/(index|ORIG_HEAD|logs\/HEAD|(logs\/)?refs\/heads\/main))$/);
});

test('files that come along are copies, never links, and only from inside the workspace', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.env': 'TOKEN=1\n', 'node_modules/x/index.js': 'x\n' });
  mkdirSync(join(world.repo, 'node_modules/.bin'));
  symlinkSync('../x/index.js', join(world.repo, 'node_modules/.bin/x'));
  symlinkSync('/etc/passwd', join(world.repo, 'node_modules/out'));
  symlinkSync(world.top, join(world.repo, 'up'));
  chmodSync(join(world.repo, '.env'), 0o600);
  const session = await world.open({
    copy: ['.env', 'node_modules', '../home', 'up', 'up/repo', '.git/config', 'gone', 'a.txt'],
  });
  const { directory, problems } = value(await session.prepare(task));
  expect(problems).toEqual([
    'node_modules/out was not copied: it is a link that points outside the workspace.',
    '../home was not copied: the path must stay inside.',
    'up was not copied: it is a link.',
    'up/repo was not copied: a directory above it is a link.',
    '.git/config was not copied: it is part of the git directory.',
    'gone was not copied: it does not exist.',
    'a.txt was not copied: the worktree already has it.',
  ]);
  writeFileSync(join(directory, '.env'), 'TOKEN=2\n');
  writeFileSync(join(directory, 'node_modules/.bin/x'), 'changed\n');
  expect(readFileSync(join(world.repo, '.env'), 'utf8')).toBe('TOKEN=1\n');
  expect(readFileSync(join(world.repo, 'node_modules/x/index.js'), 'utf8')).toBe('x\n');
  expect(lstatSync(join(directory, '.env')).mode & 0o777).toBe(0o600);
});

test('secrets in added lines are named by file and line, not by value', async () => {
  const world = changesWorld(template);
  const session = await world.open({ secrets: ['correct-horse-battery'] });
  const directory = await prepare(session);
  writeFiles(directory, {
    'a.txt': 'one\nsafe\nkey correct-horse-battery\n',
    'k\n.txt': `++ b/x\nghp_${'a'.repeat(36)}\n`,
  });
  value(await session.snapshot(task, 'after'));
  const [range] = value(await session.ranges({ of: 'attempt', ...task }));
  expect(value(await session.findSecrets(range ?? { from: '', to: '' }))).toEqual([
    { path: 'a.txt', line: 3 },
    { path: 'k\n.txt', line: 2 },
  ]);
});

test('names and kinds of files that git quotes come through attribution, merge and undo', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const directory = await prepare(session);
  const raw = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x62, 0xff, 0x64])]);
  writeFileSync(raw, 'bytes\n');
  writeFiles(directory, {
    'new\nline "quoted"\t.txt': 'n\n',
    '漢字 e\u0301 🎉.txt': 'w\n',
    ':(top)x': 'magic\n',
    '-rf': 'dash\n',
    'bin.dat': '\0\x01\x02',
  });
  symlinkSync('a.txt', join(directory, 'link'));
  chmodSync(join(directory, 'a.txt'), 0o755);
  renameSync(join(directory, 'src/c.txt'), join(directory, 'src/renamed.txt'));
  value(await session.snapshot(task, 'after'));
  const files = await filesOf(session);
  expect(files.map(({ path, kind, added }) => [path, kind, added])).toEqual([
    ['-rf', 'added', 1],
    [':(top)x', 'added', 1],
    ['a.txt', 'mode', 0],
    ['bin.dat', 'added', null],
    ['b\udcffd', 'added', 1],
    ['link', 'added', 1],
    ['new\nline "quoted"\t.txt', 'added', 1],
    ['src/renamed.txt', 'renamed', 0],
    ['漢字 e\u0301 🎉.txt', 'added', 1],
  ]);
  expect(files.find(({ kind }) => kind === 'renamed')?.from).toBe('src/c.txt');
  expect(await commitAndMerge(session)).toMatchObject({ kind: 'merged' });
  const merged = session.worktree?.directory ?? '';
  expect(readFileSync(join(merged, 'new\nline "quoted"\t.txt'), 'utf8')).toBe('n\n');
  const undone = value(await session.undo({ task: 'schema', attempt: null, dependants: [] }));
  expect(undone.files).toContain('b\udcffd');
  expect(personGit(world.repo, 'diff', 'main', 'ralph/261122-101500')).toBe('');
  personGit(world.repo, 'apply', '--check', undone.patch ?? '');
});

long('such names come through undo in a shared workspace too', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot(task, 'before'));
  const before = everything(world.repo, (path) => path.startsWith('.git'));
  writeFileSync(Buffer.concat([Buffer.from(`${world.repo}/`), Buffer.from([0x62, 0xff, 0x64])]), 'bytes\n');
  writeFiles(world.repo, {
    'new\nline': 'n\n',
    漢字: 'w\n',
    'b.txt': null,
    'b.txt/now-a-directory': 'd\n',
    'bin.dat': '\0\x01',
  });
  rmSync(join(world.repo, 'src'), { recursive: true });
  symlinkSync('a.txt', join(world.repo, 'src'));
  chmodSync(join(world.repo, 'a.txt'), 0o755);
  value(await session.snapshot(task, 'after'));
  const after = everything(world.repo, (path) => path.startsWith('.git'));
  const work = { task: 'schema', attempt: 1, dependants: [] };
  value(await session.undo(work));
  expect(everything(world.repo, (path) => path.startsWith('.git'))).toEqual(before);
  value(await session.redo(work));
  expect(everything(world.repo, (path) => path.startsWith('.git'))).toEqual(after);
});

test('what a dead session left is found, and removed without losing work', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  writeFiles(await prepare(session), { 'unsaved.txt': 'u\n' });
  const gone = value(await session.prepare({ task: 'gone', attempt: 1 })).directory;
  rmSync(gone, { recursive: true });
  personGit(world.repo, 'worktree', 'add', '-q', '../mine');
  rmSync(join(world.top, 'mine'), { recursive: true });
  const find = async (live: readonly string[] = []) =>
    value(await world.changes.findOrphans(world.repo, live));
  expect(await find(['261122-101500'])).toEqual([]);
  const kept: (string | null)[] = [];
  for (let orphans = await find(); orphans.length > 0; orphans = await find())
    for (const orphan of orphans)
      kept.push(value(await world.changes.clearOrphan(world.repo, orphan)).keptIn);
  const saved = kept.filter((ref) => ref !== null);
  expect(
    saved.some((ref) => personGit(world.repo, 'ls-tree', '--name-only', ref).includes('unsaved.txt')),
  ).toBe(true);
  expect(existsSync(join(world.repo, '.git/worktrees/mine'))).toBe(true);
  expect(personGit(world.repo, 'branch', '--format=%(refname:short)')).toBe(
    'main\nmine\nralph/261122-101500\n',
  );
});

long('locks that a machine left when it stopped are removed at the next start', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await prepare(session);
  const locks = [
    'worktrees/merged/index.lock',
    'worktrees/schema-1/index.lock',
    'refs/heads/ralph/261122-101500.lock',
    'refs/ralph/261122-101500/schema/1/after.lock',
  ];
  for (const lock of locks) writeFiles(join(world.repo, '.git'), { [lock]: '' });
  writeFiles(world.repo, { '.git/index.lock': 'of the person' });
  const again = await world.open();
  value(await again.snapshot(task, 'after'));
  expect(locks.filter((lock) => existsSync(join(world.repo, '.git', lock)))).toEqual([]);
  expect(readFileSync(join(world.repo, '.git/index.lock'), 'utf8')).toBe('of the person');
});

test('a session waits for git that outlived the program which started it', async () => {
  const world = changesWorld(template);
  const ended = join(world.top, 'ended');
  writeFiles(world.top, { attributes: '*.txt filter=slow\n' });
  const running = world.ports.git.run({
    args: ['hash-object', '--path=a.txt', '--stdin'],
    config: [
      `core.attributesFile=${world.top}/attributes`,
      `filter.slow.clean=sleep 0.3; touch ${ended}; cat`,
    ],
    cwd: world.repo,
    input: 'x',
    marker: 'changes:here',
  });
  expect(await world.ports.git.settled('changes:elsewhere')).toEqual([]);
  expect(await world.ports.git.settled('changes:here')).toEqual([]);
  expect(existsSync(ended)).toBe(true);
  expect(await running).toMatchObject({ code: 0 });
});
