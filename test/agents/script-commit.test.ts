import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitAnswerSchema, implementAnswerSchema } from '../../src/agents/answers.ts';
import type { Brief } from '../../src/agents/port.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { filesIn, git, repositoryWith, writeHook } from '../helpers/repository.ts';
import { reviewBriefOf } from '../helpers/role-port.ts';
import { commands, scriptBackend } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const work = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}): Brief =>
  reviewBriefOf(task, { workspace: tempDir(), ...some });
const commit = async (brief: Brief, changed: readonly string[]) =>
  commitAnswerSchema.parse(answerOf(await bench(scriptBackend(), brief).turn('commit', { changed })));

test('commits the declared files that changed, lists the rest, and leaves what a person staged alone', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  const brief = work(
    { files: ['new.txt', 'kept.txt', 'dir', '-rf.txt'], title: 'Write; $(touch never)' },
    { workspace },
  );
  mkdirSync(join(workspace, 'dir'));
  for (const file of ['new.txt', 'kept.txt', 'dir/in.txt', '-rf.txt', 'stray.txt', 'staged.txt'])
    writeFileSync(join(workspace, file), 'x');
  git(workspace, 'add', 'staged.txt');
  const answer = await commit(brief, ['new.txt', 'kept.txt', 'dir/in.txt', '-rf.txt', 'stray.txt']);
  expect(answer).toMatchObject({
    status: 'success',
    commit: expect.stringMatching(/^[0-9a-f]{7,}$/),
    unattributed: ['staged.txt', 'stray.txt'],
  });
  expect(filesIn(workspace)).toEqual(['-rf.txt', 'dir/in.txt', 'kept.txt', 'new.txt']);
  expect(git(workspace, 'log', '-1', '--format=%s').trim()).toBe('Write; $(touch never)');
  expect(git(workspace, 'status', '--porcelain').split('\n').filter(Boolean)).toEqual([
    'A  staged.txt',
    '?? stray.txt',
  ]);
});

test('leaves a commit of hundreds of megabytes to a person, and the file as it is', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeFileSync(join(workspace, 'data.bin'), '');
  truncateSync(join(workspace, 'data.bin'), 500 * 1_048_576);
  const brief = work({ files: ['data.bin'] }, { workspace });
  expect(await commit(brief, ['data.bin'])).toMatchObject({
    status: 'failed',
    detail:
      'the history would keep 500 MB, most of it in data.bin: commit it yourself, or add it to .gitignore',
  });
  expect(git(workspace, 'status', '--porcelain')).toBe('?? data.bin\n');
});

test('attributes undeclared changes only to a task that ran alone', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeFileSync(join(workspace, 'stray.txt'), 'x');
  for (const beside of [{ files: ['kept.txt'] }, { role: 'reader' }])
    expect(await commit(work(beside, { workspace }), ['stray.txt'])).toMatchObject({
      status: 'skipped',
      detail: 'this task changed only files that it does not declare: stray.txt',
      unattributed: ['stray.txt'],
    });
  // One that declares no files waits for all others.
  for (const alone of [{ type: 'Sequential', files: ['kept.txt'] } as const, {}]) {
    writeFileSync(join(workspace, 'stray.txt'), JSON.stringify(alone));
    expect(await commit(work(alone, { workspace }), ['stray.txt'])).toMatchObject({
      status: 'success',
      files: ['stray.txt'],
    });
  }
});

test('gets what an attempt that ran alone changed beside its declared files, and nothing that was dirty before', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeFileSync(join(workspace, 'mine.txt'), 'a person works on this');
  const task = {
    type: 'Sequential',
    files: ['dir'],
    run: commands('echo x > stray.txt; echo y > kept.txt; rm dir/gone'),
  } as const;
  mkdirSync(join(workspace, 'dir'));
  writeFileSync(join(workspace, 'dir/gone'), 'x');
  for (const [isOn, expected] of [
    [false, ['dir/gone']],
    [true, ['dir/gone', 'kept.txt', 'stray.txt']],
  ] as const) {
    writeFileSync(join(workspace, 'dir/gone'), 'x');
    const settings = { ...defaultSettings, commit: isOn };
    const brief = work(task, { role: 'Executor', mode: 'IMPLEMENT', workspace, settings });
    const done = implementAnswerSchema.parse(answerOf(await bench(scriptBackend(), brief).turn('implement')));
    expect(done.files_modified).toEqual(expected);
    git(workspace, 'checkout', '-q', 'kept.txt');
  }
});

test('runs the hooks of the repository, tries once more, and leaves nothing staged when they refuse', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeHook(
    workspace,
    'pre-commit',
    'echo tried >> .git/tries',
    'echo "no tabs, please" >&2',
    'echo "see CONTRIBUTING"',
    'exit 1',
  );
  writeFileSync(join(workspace, 'new.txt'), 'x');
  const at = bench(scriptBackend(), work({ files: ['new.txt'] }, { workspace }));
  const answer = answerOf(await at.turn('commit', { changed: ['new.txt'] }));
  expect(answer).toMatchObject({ status: 'failed', detail: 'no tabs, please' });
  expect(at.output()).toContain('no tabs, please\nsee CONTRIBUTING\n');
  expect(readFileSync(join(workspace, '.git/tries'), 'utf8')).toBe('tried\ntried\n');
  expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt\n');
});

test('that an ABORT stops within a hook is called that', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeHook(workspace, 'pre-commit', 'touch .git/busy', 'sleep 7000');
  writeFileSync(join(workspace, 'kept.txt'), 'x');
  const at = bench(scriptBackend(), work({ files: ['kept.txt'] }, { workspace }));
  const turn = at.turn('commit', { changed: ['kept.txt'] });
  await expect.poll(() => existsSync(join(workspace, '.git/busy'))).toBe(true);
  await at.worker.stop('abort');
  expect(answerOf(await turn)).toMatchObject({
    status: 'failed',
    detail: 'Aborted by signal while git committed',
    stopped: 'abort',
  });
});

test('is skipped outside a repository', async () => {
  const brief = work({ files: ['a'] }, { settings: { ...defaultSettings, commit: true } });
  expect(await commit(brief, ['a'])).toMatchObject({
    status: 'skipped',
    detail: 'the workspace is not in a git repository',
  });
});

test('tells the commit that it made, whatever another program commits in the same moment', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  const person = `env -i PATH="$PATH" git -c core.hooksPath=/dev/null`;
  writeHook(
    workspace,
    'post-commit',
    `${person} checkout -q -b aside`,
    `${person} commit -qm aside --allow-empty`,
  );
  writeFileSync(join(workspace, 'new.txt'), 'x');
  const answer = await commit(work({ files: ['new.txt'], title: 'Write' }, { workspace }), ['new.txt']);
  expect(git(workspace, 'log', '-1', '--format=%s').trim()).toBe('aside');
  expect(git(workspace, 'log', '-1', '--format=%s', answer.commit ?? '').trim()).toBe('Write');
  expect(filesIn(workspace, answer.commit)).toEqual(['new.txt']);
});

test('tells the commit of a repository that has none yet and keeps no reflog', async () => {
  const workspace = workspaceWith({ 'new.txt': 'x' });
  git(workspace, 'init', '-q', '-b', 'main');
  for (const [key, value] of Object.entries({
    'user.name': 'kim',
    'user.email': 'kim@host',
    'core.logAllRefUpdates': 'false',
  }))
    git(workspace, 'config', key, value);
  const answer = await commit(work({ files: ['new.txt'] }, { workspace }), ['new.txt']);
  expect(answer).toMatchObject({
    status: 'success',
    commit: git(workspace, 'rev-parse', '--short', 'HEAD').trim(),
  });
});

test('is skipped with a clear sentence when another commit has taken the changes, and when git ignores them', async () => {
  const workspace = repositoryWith({ 'shared.txt': 'one\n', '.gitignore': '*.log\n' });
  writeFileSync(join(workspace, 'shared.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(workspace, 'out.log'), 'x');
  const files = ['shared.txt', 'out.log'];
  expect(await commit(work({ files }, { workspace }), ['shared.txt'])).toMatchObject({ status: 'success' });
  expect(await commit(work({ files }, { workspace }), files)).toMatchObject({
    status: 'skipped',
    detail: 'its changes are already committed',
  });
  expect(await commit(work({ files }, { workspace }), ['out.log'])).toMatchObject({
    status: 'skipped',
    detail: 'git ignores what it changed',
  });
  expect(await commit(work({ files }, { workspace }), [])).toMatchObject({
    status: 'skipped',
    detail: 'this task changed nothing',
  });
});

test.each([
  [
    'a hook that says no',
    'pre-commit',
    ['echo', 'echo "hint: a hint"', 'echo "no tabs, please"', 'echo "more"', 'exit 1'],
    'no tabs, please',
  ],
  [
    'a hook that says nothing',
    'pre-commit',
    ['exit 3'],
    'git gave no reason; a hook may have rejected the commit',
  ],
] as const)(
  'a commit that fails says why with the first line that tells something: %s',
  async (_, name, lines, said) => {
    const workspace = repositoryWith({ 'kept.txt': 'old' });
    writeHook(workspace, name, ...lines);
    writeFileSync(join(workspace, 'kept.txt'), 'x');
    const answer = await commit(work({ files: ['kept.txt'] }, { workspace }), ['kept.txt']);
    expect(answer).toMatchObject({ status: 'failed', detail: said });
  },
);

test('a locked index and a missing name are said as git says them', async () => {
  const workspace = repositoryWith({ 'kept.txt': 'old' });
  writeFileSync(join(workspace, 'kept.txt'), 'x');
  const brief = work({ files: ['kept.txt'] }, { workspace });
  writeFileSync(join(workspace, '.git/index.lock'), '');
  expect((await commit(brief, ['kept.txt'])).detail).toMatch(
    /^fatal: Unable to create '.*index\.lock': File exists\.$/,
  );
  rmSync(join(workspace, '.git/index.lock'));
  git(workspace, 'config', '--unset', 'user.name');
  git(workspace, 'config', 'user.useConfigOnly', 'true');
  const nobody = scriptBackend({ HOME: workspace, XDG_CONFIG_HOME: workspace });
  const result = answerOf(await bench(nobody, brief).turn('commit', { changed: ['kept.txt'] }));
  expect(commitAnswerSchema.parse(result)).toMatchObject({
    status: 'failed',
    detail: 'Author identity unknown',
  });
});
