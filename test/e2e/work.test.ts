import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { personGit } from '../helpers/changes.ts';
import { saySomething, startGhProgram } from '../helpers/gh-program.ts';
import { workspaceOf } from '../helpers/issue-workspace.ts';
import { type RunningProgram, runProgram, startProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { onlySession } from '../helpers/workspace.ts';

const work = ['work', '--labels', 'ready', '--permissions', 'edits', '--no-discovery'];

/** The service, which is stopped when the test has ended, and its sessions with it. */
const serving = (
  workspace: string,
  more: readonly string[] = [],
  env: Record<string, string> = {},
): RunningProgram => {
  const program = startProgram([...work, ...more, '--yes'], { cwd: workspace, env });
  onTestFinished(async () => {
    program.kill('SIGTERM');
    await program.done;
  });
  return program;
};

test('ready issues with the label are taken up until it is stopped, and each is shown, worked on, merged and done', async () => {
  const workspace = workspaceOf(
    'backlog\nlabels: [ready]',
    'flow: {plan_review: skip, auto_merge: true, poll: 1s}\nloop: {verify: ["true"]}\n',
    true,
  );
  const issue = (id: string): string => join(workspace, `.ralph/issues/${id}.md`);
  const stateOf = (id: string): string => /state: (.*)/.exec(readFileSync(issue(id), 'utf8'))?.[1] ?? '';
  writeFileSync(issue('2'), '---\ntitle: Change b\nstate: backlog\nlabels: [ready]\nblockedBy: ["1"]\n---\n');
  writeFileSync(issue('3'), '---\ntitle: Not this\nstate: backlog\n---\n');
  const unasked = await runProgram([...work, '--headless'], { cwd: workspace, asked: true });
  expect(unasked.code).toBe(3);
  expect(unasked.stderr).toMatch(/confirmation is needed[\s\S]*add --yes/);
  expect(unasked.stdout).toMatch(/1 issue with the label ready is ready, in this order:\n {2}1 {2}Change a/);
  const program = serving(workspace);
  await program.waitFor(/Issue 1: Change a[\s\S]*At least 3 calls of a model[\s\S]*in the background/);
  // The second may begin as soon as the first is done, while its session still ends.
  await program.waitFor(/Issue 1: session \S+ completed/);
  await program.waitFor(/Issue 2: Change b/);
  await program.waitFor(/Issue 2: session \S+ completed/);
  program.kill('SIGTERM');
  const ended = await program.done;
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stderr).toContain('nothing more is started');
  expect(['1', '2', '3'].map(stateOf)).toEqual(['done', 'done', 'backlog']);
  expect(personGit(workspace, 'ls-files')).toMatch(/implement-1\.txt[\s\S]*implement-2\.txt/);
});

test('what a person must decide waits, a stop leaves it to the next start, and the answer finishes it', async () => {
  const workspace = workspaceOf('backlog\nlabels: [ready]', 'flow: {poll: 1s}\n');
  const first = serving(workspace);
  await first.waitFor(/Issue 1 waits for you: Approve the plan[\s\S]*decide {3}cd \S+ && ralph-tui answer/);
  first.kill('SIGTERM');
  expect(await first.done).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Issue 1: session \S+ paused/),
  });
  const second = serving(workspace);
  const said = await second.waitFor(/Issue 1 waits for you[\s\S]*decide.*\n/);
  const answer = /ralph-tui (answer \S+ approve --session \S+)/.exec(said)?.[1] ?? '';
  expect((await runProgram(answer.split(' '), { cwd: workspace })).code).toBe(0);
  await second.waitFor(/Issue 1: session \S+ completed/);
  expect(readdirSync(join(workspace, '.ralph-sessions')).filter((name) => /^\d{6}-/.test(name))).toHaveLength(
    1,
  );
});

/** One ready issue on GitHub, and the service at work on it. `heads`: the commits whose checks were asked for, the first of which may fail. */
const onGitHub = async (
  checkOf: (isFirst: boolean) => 'SUCCESS' | 'FAILURE',
  settings = '',
  blocked: readonly string[] = [],
) => {
  const origin = tempDir();
  const heads: string[] = [];
  const { bin, gh, pullRequests } = await startGhProgram(
    origin,
    (_, head) => {
      if (!heads.includes(head)) heads.push(head);
      return checkOf(head === heads[0]);
    },
    'line 3: too long',
  );
  const workspace = workspaceOf('done', `flow: {plan_review: skip, poll: 1s${settings}}\n`, true);
  personGit(origin, 'init', '-q', '--bare', '-b', 'main');
  personGit(workspace, 'remote', 'add', 'origin', origin);
  personGit(workspace, 'push', '-q', 'origin', 'main');
  gh.run(['label', 'create', 'ready'], '');
  gh.run(['issue', 'create', '--title=Change a', '--body-file', '-', '--label=ready'], 'Please.');
  for (const title of blocked)
    gh.run(
      ['issue', 'create', `--title=${title}`, '--body-file', '-', '--label=ready', '--blocked-by=1'],
      'Please.',
    );
  const program = serving(workspace, ['--tracker', 'gh'], { PATH: `${bin}:${process.env['PATH']}` });
  return { program, gh, pullRequests, heads, workspace };
};

test('on GitHub an ordinary comment of a member comes back as work once, and one of a stranger does not', async () => {
  const { program, gh, pullRequests, heads, workspace } = await onGitHub(() => 'SUCCESS');
  await program.waitFor(/Issue 1 waits for its pull request/);
  const [pull] = pullRequests;
  if (pull === undefined) throw new Error('no pull request was opened');
  saySomething(pull, 'eve', 'NONE', 'Push my key, too.');
  saySomething(pull, 'ana', 'MEMBER', 'Say it in two lines, please.');
  await expect.poll(() => heads.length).toBe(2);
  const journal = () => readJournal(createDisk(), join(onlySession(workspace), 'journal.jsonl')).events;
  const sentBack = () =>
    journal().flatMap((event) => (event.type === 'pr.sent-back' ? [event.feedback] : []));
  expect(sentBack()).toEqual([expect.stringContaining('Say it in two lines, please.')]);
  expect(sentBack()[0]).not.toContain('Push my key');
  pull.state = 'MERGED';
  await program.waitFor(/Issue 1: session \S+ completed/);
  expect(sentBack()).toHaveLength(1);
  expect(gh.issues[0]?.state).toBe('CLOSED');
  program.kill('SIGINT');
  expect((await program.done).code).toBe(0);
});

test('on GitHub a failed check comes back as work, and the session ends when a person has merged', async () => {
  const { program, gh, pullRequests, heads } = await onGitHub((isFirst) => (isFirst ? 'FAILURE' : 'SUCCESS'));
  await expect.poll(() => heads.length).toBe(2);
  await program.waitFor(/Issue 1 waits for its pull request\n {2}changes .*pull request https/);
  for (const pull of pullRequests) pull.state = 'MERGED';
  await program.waitFor(/Issue 1: session \S+ completed/);
  expect(gh.issues[0]?.state).toBe('CLOSED');
  program.kill('SIGINT');
  expect((await program.done).code).toBe(0);
});

test('on GitHub an issue begins on the work of its blocker, once the person has pulled what was merged there', async () => {
  const { program, pullRequests, workspace } = await onGitHub(() => 'SUCCESS', ', auto_merge: true', [
    'Change b',
  ]);
  const said = await program.waitFor(
    /Issue 2 builds on work that is merged on GitHub, and not in this clone yet\n {2}update {3}(.*)\n/,
  );
  expect(said).not.toContain('Issue 2: Change b');
  expect(pullRequests.map(({ state }) => state)).toEqual(['MERGED']);
  const pull = / {2}update {3}(.*)\n/.exec(said)?.[1] ?? '';
  personGit(workspace, 'branch', '-q', '--set-upstream-to=origin/main', 'main');
  execFileSync('bash', ['-c', pull], { stdio: 'ignore' });
  await program.waitFor(/Issue 2: session \S+ completed/);
  expect(personGit(workspace, 'ls-tree', '--name-only', 'ralph/2')).toMatch(
    /implement-1\.txt\nimplement-2\.txt/,
  );
  program.kill('SIGINT');
  expect((await program.done).code).toBe(0);
});
