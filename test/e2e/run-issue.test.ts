import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { readLock } from '../../src/session/lock.ts';
import { personGit } from '../helpers/changes.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { startGhProgram } from '../helpers/gh-program.ts';
import { workspaceOf } from '../helpers/issue-workspace.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

const runIssue = ['run', '--issue', '1', '--headless', '--permissions', 'edits', '--no-discovery'];

const stateOf = (workspace: string): string =>
  /state: (.*)/.exec(readFileSync(join(workspace, '.ralph/issues/1.md'), 'utf8'))?.[1] ?? '';

const doneTasks = (workspace: string): readonly string[] =>
  readJournal(createDisk(), join(onlySession(workspace), 'journal.jsonl')).events.flatMap((event) =>
    event.type === 'task.qualified' ? [event.task] : [],
  );

test('a human gate ends with 3 and the command that answers it, and the same command resumes the session', async () => {
  const workspace = workspaceOf('research-needed');
  const first = await runProgram(runIssue, { cwd: workspace });
  expect(first.code).toBe(3);
  expect(first.stdout).toMatch(/5 tasks are left\. Plans are reviewed by a person; nothing is merged/);
  expect(first.stdout).not.toContain('.;');
  expect(stateOf(workspace)).toBe('plan-in-review');
  const printed =
    /decide {3}cd \S+ && ralph-tui (answer \S+ approve --session \S+)/.exec(first.stdout)?.[1] ?? '';
  expect(printed).toContain('plan:review-1');
  expect((await runProgram(printed.split(' '), { cwd: workspace })).code).toBe(0);
  // A subfolder belongs to the same workspace.
  const second = await runProgram(runIssue, { cwd: join(workspace, '.ralph') });
  expect(second).toMatchObject({ code: 0 });
  expect(second.stderr).toContain('resuming the session of issue 1');
  expect(stateOf(workspace)).toBe('in-review');
  expect(doneTasks(workspace)).toEqual(['research-1', 'plan-1', 'review-1', 'implement-1', 'pr-1']);
  // The branch holds work and documents, and the person's own branch is untouched.
  expect(personGit(workspace, 'ls-tree', '-r', '--name-only', 'ralph/1')).toMatch(
    /thoughts\/shared\/plans\/[\s\S]*thoughts\/shared\/reports\//,
  );
  expect(personGit(workspace, 'status', '--porcelain', '--', 'thoughts')).toBe('');
  expect(personGit(workspace, 'show', 'ralph/1:a.txt')).toBe('changed by implement-1');
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('a');
  expect(personGit(workspace, 'log', '--format=%s', 'main').trim()).toBe('first');
  expect(personGit(workspace, 'branch', '--format=%(refname:short)').trim().split('\n')).toEqual([
    'main',
    'ralph/1',
  ]);
  // What is left to do is said until it is done.
  const status = async (): Promise<string> => (await runProgram(['status'], { cwd: workspace })).stdout;
  expect(await status()).toContain('to take it: ');
  expect((await runProgram(['issues', 'move', '1', 'done'], { cwd: workspace })).code).toBe(0);
  expect(await status()).not.toContain('to take it');
  const resume = ['resume', basename(onlySession(workspace)), '--headless'];
  expect(await runProgram([...resume, '--at-end', 'merge'], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--at-end merge does not apply to an issue'),
  });
  const again = await runProgram(resume, {
    cwd: workspace,
  });
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).not.toContain('to take it');
});

test('work that is done again after its pull request leaves no copy of a document in the workspace, also with another text', async () => {
  const workspace = workspaceOf('ready-for-plan', 'flow: {plan_review: skip, agents: {pr: own}}\n', true);
  const first = await runProgram(runIssue, { cwd: workspace });
  expect(first.code, first.stdout + first.stderr).toBe(0);
  const session = basename(onlySession(workspace));
  const report = (): string =>
    personGit(workspace, 'grep', '-h', 'What and why', 'ralph/1', '--', 'thoughts/shared/reports');
  const before = report();
  const again = ['retry', 'implement-1', 'In two lines.', '--session', session];
  expect((await runProgram(again, { cwd: workspace })).code).toBe(0);
  const resumed = await runProgram(['resume', session, '--headless', '--permissions', 'edits'], {
    cwd: workspace,
  });
  expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
  expect(report()).not.toBe(before);
  expect(personGit(workspace, 'status', '--porcelain', '--', 'thoughts')).toBe('');
});

test('killed in the middle of the work, it goes on with each task done once, and a live session ends the second start with 3', async () => {
  const workspace = workspaceOf('ready-for-plan', 'flow: {plan_review: skip}\n');
  writeFileSync(join(workspace, 'wait'), '');
  const program = startProgram(runIssue, { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor(/implement-1 started/);
  const beside = await runProgram(runIssue, { cwd: workspace });
  expect(beside.code).toBe(3);
  expect(beside.stderr).toMatch(
    /issue 1 is already being worked on: session \d{6}-\d{6}[\s\S]*ralph-tui attach/,
  );
  program.kill('SIGKILL');
  await program.done;
  writeFileSync(join(workspace, 'go'), '');
  const again = await runProgram(runIssue, { cwd: workspace });
  expect(again.code).toBe(0);
  expect(doneTasks(workspace)).toEqual(['plan-1', 'implement-1', 'pr-1']);
  expect(stateOf(workspace)).toBe('in-review');
  const comments = readFileSync(join(workspace, '.ralph/issues/1.comments.jsonl'), 'utf8').trim().split('\n');
  expect(comments).toHaveLength(2);
  expect(personGit(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('the plan of a session that was deleted travels with the branch of the next one', async () => {
  const workspace = workspaceOf('ready-for-plan');
  expect((await runProgram(runIssue, { cwd: workspace })).code).toBe(3);
  rmSync(onlySession(workspace), { recursive: true });
  expect((await runProgram(['issues', 'move', '1', 'in-progress'], { cwd: workspace })).code).toBe(0);
  expect(await runProgram(runIssue, { cwd: workspace })).toMatchObject({ code: 0 });
  const plan = /^thoughts\/shared\/plans\/\S+$/m;
  expect(personGit(workspace, 'ls-tree', '-r', '--name-only', 'ralph/1')).toMatch(plan);
  // No copy stands in the way of the merge.
  expect(personGit(workspace, 'ls-files', '--others')).not.toMatch(plan);
});

test('an issue that a person brings back to work again and again continues its branch, which nothing keeps checked out', async () => {
  const workspace = workspaceOf('in-progress');
  for (let round = 1; round <= 3; round += 1) {
    expect(await runProgram(runIssue, { cwd: workspace })).toMatchObject({ code: 0 });
    expect(personGit(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(personGit(workspace, 'branch', '--list', 'ralph/1*').trim()).toBe('ralph/1');
    expect((await runProgram(['issues', 'move', '1', 'in-progress'], { cwd: workspace })).code).toBe(0);
  }
});

test('--background leaves the issue to a process of its own, and a second start says that it is worked on', async () => {
  const workspace = workspaceOf('ready-for-plan', 'flow: {plan_review: skip}\n');
  writeFileSync(join(workspace, 'wait'), '');
  // Whatever happens here, the agent ends.
  onTestFinished(() => writeFileSync(join(workspace, 'go'), ''));
  const started = await runProgram([...runIssue, '--background'], { cwd: workspace });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('continues in the background') });
  const beside = await runProgram(runIssue, { cwd: workspace });
  expect([beside.code, beside.stderr]).toEqual([3, expect.stringContaining('is already being worked on')]);
  writeFileSync(join(workspace, 'go'), '');
  await expect.poll(() => stateOf(workspace), { interval: 200 }).toBe('in-review');
  await expect.poll(() => doneTasks(workspace), { interval: 200 }).toEqual(['plan-1', 'implement-1', 'pr-1']);
  // The process ends after its last task, and writes until then.
  const host = readLock(createDisk(), { lock: join(onlySession(workspace), 'lock') });
  if (host === null) throw new Error('nothing holds the session');
  await expect.poll(() => createSpawn().isAlive(host), { interval: 200 }).toBe('dead');
});

test('of two streams that conflict at the merge one is merged, the other waits for a person, and nothing is half merged', async () => {
  const workspace = workspaceOf(
    'backlog',
    'flow: {plan_review: skip, auto_merge: true}\nloop: {verify: [test -s a.txt]}\n',
  );
  const issue = (id: string): string => join(workspace, `.ralph/issues/${id}.md`);
  for (const id of ['2', '3'])
    writeFileSync(issue(id), `---\ntitle: Change ${id}\nstate: research-needed\nparent: "1"\n---\n`);
  const result = await runProgram(runIssue, { cwd: workspace });
  expect(result.code).toBe(1);
  const states = ['2', '3'].map((id) => /state: (.*)/.exec(readFileSync(issue(id), 'utf8'))?.[1]).sort();
  expect(states).toEqual(['done', 'human-needed']);
  expect(result.stdout).toMatch(/changed the same lines in a\.txt/);
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toMatch(/^changed by implement-[23]_stream$/);
  expect(personGit(workspace, 'status', '--porcelain', '--', 'a.txt')).toBe('');
  expect(personGit(workspace, 'branch', '--list', 'ralph/2', 'ralph/3').trim().split('\n')).toHaveLength(2);
  const stuck = readFileSync(issue('2'), 'utf8').includes('human-needed') ? '2' : '3';
  expect(readFileSync(join(workspace, `.ralph/issues/${stuck}.comments.jsonl`), 'utf8')).toContain(
    'Human Needed: main and the session changed the same lines',
  );
});

test('--watch takes up the open pull request of a session that is complete, and ends when a person merges it', async () => {
  const origin = tempDir();
  let result: 'SUCCESS' | 'FAILURE' = 'SUCCESS';
  const { bin, gh, pullRequests } = await startGhProgram(origin, () => result, '');
  const workspace = workspaceOf('backlog', 'flow: {plan_review: skip, poll: 1s}\n');
  personGit(origin, 'init', '-q', '--bare', '-b', 'main');
  personGit(workspace, 'remote', 'add', 'origin', origin);
  personGit(workspace, 'push', '-q', 'origin', 'main');
  personGit(workspace, 'switch', '-q', '-c', 'develop');
  gh.run(['label', 'create', 'state:ready-for-plan'], '');
  gh.run(
    ['issue', 'create', '--title=Change a', '--body-file', '-', '--label=state:ready-for-plan'],
    'Please.',
  );
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const onGitHub = [...runIssue, '--tracker', 'gh'];
  const first = await runProgram(onGitHub, { cwd: workspace, env });
  expect(first.code, first.stdout + first.stderr).toBe(0);
  expect(pullRequests).toMatchObject([{ state: 'OPEN', base: 'develop' }]);
  expect(first.stdout).toMatch(
    /On GitHub: state labels of 1 issue, 2 comments; the branch ralph\/1, pushed; 1 pull request\./,
  );
  expect(first.stdout).toContain('No command checks the work (loop.verify)');
  expect(first.stdout).toMatch(
    /changes {2}1: on ralph\/1, pull request \S+; reviewed, but no command checked it/,
  );
  expect(pullRequests[0]?.body).toContain('No command checked this work');
  result = 'FAILURE';
  const failed = await runProgram(onGitHub, { cwd: workspace, env });
  expect(failed.code).toBe(3);
  expect(failed.stderr).toMatch(
    /1: in review, but https:\S+ is refused: "The check lint failed\."; send it back/,
  );
  result = 'SUCCESS';
  // Nothing is left to do without --watch.
  expect((await runProgram(onGitHub, { cwd: workspace, env })).stdout).toMatch(/Nothing is left to do/);
  const watching = startSession([...onGitHub, '--watch'], { cwd: workspace, env });
  await watching.waitFor(/its pull request passed its checks/);
  for (const pull of pullRequests) pull.state = 'MERGED';
  const ended = await watching.done;
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(gh.issues[0]?.state).toBe('CLOSED');
  const again = await runProgram([...onGitHub, '--watch'], { cwd: workspace, env });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/Nothing is left to do/) });
  expect(doneTasks(workspace)).toEqual(['plan-1', 'implement-1', 'pr-1', 'pr-1']);
});

test('with `flow.draft` the plan is there as a draft while the work is done, which is in it once it is reviewed, and then it is ready', async () => {
  const origin = tempDir();
  const { bin, gh, pullRequests } = await startGhProgram(origin, () => 'SUCCESS', '');
  const workspace = workspaceOf('backlog', 'flow: {plan_review: skip, draft: true}\n');
  personGit(origin, 'init', '-q', '--bare', '-b', 'main');
  personGit(workspace, 'remote', 'add', 'origin', origin);
  personGit(workspace, 'push', '-q', 'origin', 'main');
  gh.run(['issue', 'create', '--title=Change a', '--body-file', '-'], 'Please.');
  writeFileSync(join(workspace, 'wait'), '');
  onTestFinished(() => writeFileSync(join(workspace, 'go'), ''));
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const session = startSession([...runIssue, '--tracker', 'gh'], { cwd: workspace, env });
  await session.waitFor(/implement-1 started/);
  expect(pullRequests).toMatchObject([
    { isDraft: true, title: 'Change a', body: expect.stringMatching(/- \[ \] #1: Change a\n[\s\S]*plans\//) },
  ]);
  const files = (): string => personGit(origin, 'diff', '--name-only', 'main...ralph/1');
  expect(files()).toMatch(/^thoughts\/shared\/plans\/\S+\n$/);
  writeFileSync(join(workspace, 'go'), '');
  const ended = await session.done;
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout).toContain('1 pull request, from the plan on as a draft.');
  expect(pullRequests).toMatchObject([{ isDraft: false, body: expect.stringMatching(/Closes #1\n$/) }]);
  expect(files()).toMatch(/^a\.txt\nthoughts/);
});

test('RALPH_REVIEW_MODE and RALPH_AUTO_APPROVE decide who reviews, and the debug log has the calls of the tracker', async () => {
  const workspace = workspaceOf('ready-for-plan');
  const state = tempDir();
  const env = { RALPH_AUTO_APPROVE: 'true', RALPH_DEBUG: 'true', XDG_STATE_HOME: state };
  const result = await runProgram([...runIssue, '--json'], { cwd: workspace, env });
  expect(result.code).toBe(0);
  const events = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.find(({ type }) => type === 'plan.decided')).toMatchObject({
    verdict: 'approved',
    by: 'the validator',
  });
  expect(events.at(-1)).toMatchObject({ type: 'session.stopped', exit_code: 0 });
  const logs = join(state, 'ralph-tui/logs/debug');
  const records = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(records.join('')).toMatch(/"type":"tracker".*"name":"native".*"event":"update"/);
});

test('what cannot start says why in one sentence, and nothing is written', async () => {
  const workspace = workspaceOf('ready-for-plan');
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['run', '--issue', '99', '--headless'], 2, /issue 99 does not exist/],
    [['run', '--issue', '1', '--plan', 'p.yaml'], 2, /--issue and --plan cannot be combined/],
    [['run', '--issue', '1', 'a goal'], 2, /--issue and a goal cannot be combined/],
    [
      ['run', '--issue', '1', '--at-end', 'merge'],
      2,
      /--at-end merge does not apply to an issue: its branch ends in a pull request; set flow\.auto_merge/,
    ],
    [['work', '--at-end', 'merge', '--headless'], 2, /--at-end merge does not apply to an issue/],
    [['run', '--issue', '1', '--mode', 'loop'], 2, /--issue and --mode loop cannot be combined/],
    [['run', '--mode', 'hero'], 2, /--mode hero needs an issue; add --issue ID\. Ready: 1 Change a/],
    [['run', '--issue', '1', '--agent', 'script', '--headless'], 2, /the script agent cannot work on issues/],
    [['run', '--issue', '1', '--tracker', 'nowhere', '--headless'], 2, /nowhere/],
    [
      ['run', '--issue', '1', '--watch', '--agent', 'own'],
      2,
      /--watch waits for pull requests on GitHub, but the tracker is native/,
    ],
  ];
  for (const [args, code, words] of cases) {
    const result = await runProgram(args, { cwd: workspace });
    expect(result.code, args.join(' ')).toBe(code);
    expect(result.stderr, args.join(' ')).toMatch(words);
  }
  const done = workspaceOf('done');
  expect(await runProgram(runIssue, { cwd: done })).toMatchObject({ code: 0 });
  const waits = workspaceOf('human-needed');
  const stuck = await runProgram(runIssue, { cwd: waits });
  expect(stuck.code).toBe(3);
  expect(stuck.stderr).toContain(
    'nothing can be done now: 1 needs a person: in Human Needed; read what was tried and how to continue with `ralph-tui issues show 1`',
  );
  await runProgram(['issues', 'new', 'After it', '--blocked-by', '1'], { cwd: workspace });
  const blocked = await runProgram([...runIssue, '--only'].with(2, '2'), { cwd: workspace });
  expect(blocked.code).toBe(3);
  expect(blocked.stderr).toMatch(
    /2: blocked by 1 \(Ready for Plan\), outside the group; see how far issue 1 is, or work on it first, with `ralph-tui run --issue 1`/,
  );
  for (const each of [workspace, done, waits]) expect(existsSync(join(each, 'thoughts'))).toBe(false);
});

test('the list before a start counts the calls of the agent that the command names, and names it as the reviewer', async () => {
  const workspace = workspaceOf('ready-for-plan');
  const config = join(workspace, '.ralph/config.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('roles: {executor: own}\n', ''));
  const run = ['run', '--issue', '1', '--agent', 'own', '--headless', '--no-discovery'];
  const { stdout } = await runProgram(run, { cwd: workspace });
  expect(stdout).toContain('At least 3 calls of a model.');
  expect(stdout).toContain('is reviewed by own before it is pushed.');
});

test('the list before the start says what it will cost, where the agents of the last sessions said that', async () => {
  const workspace = workspaceOf('ready-for-plan');
  const earlier = join(workspace, '.ralph-sessions/260101-101010');
  mkdirSync(earlier, { recursive: true });
  const task = { task: 'old', attempt: 1, invocation: 'Executor-1' };
  const events = [
    { ...eventSamples['invocation.started'], invocation: 'Executor-1', task: 'old' },
    { type: 'agent.usage-reported', ...task, used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } },
  ];
  writeFileSync(
    join(earlier, 'journal.jsonl'),
    events
      .map((event, at) => `${JSON.stringify({ ...event, seq: at + 1, at: '2026-01-01T10:10:10.000Z' })}\n`)
      .join(''),
  );
  const refused = await runProgram(['run', '--issue', '1', '--headless', '--permissions', 'edits'], {
    cwd: workspace,
    asked: true,
  });
  expect(refused.stdout).toContain('At least 3 calls of a model, about $1.50 by what earlier ones cost.');
});

test('a start that is refused leaves no session', async () => {
  const workspace = workspaceOf('ready-for-plan');
  const refused = await runProgram(['run', '--issue', '1', '--headless', '--no-discovery'], {
    cwd: workspace,
  });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('--permissions');
  expect(readdirSync(join(workspace, '.ralph-sessions'))).toEqual([]);
  const none = await runProgram(['run', '--mode', 'hero', '--headless'], { cwd: workspaceOf('done') });
  expect(none).toMatchObject({ code: 3 });
  expect(none.stderr).toMatch(/no issues are ready/);
});

test('without a git repository the reason and the cure are named, and the issue stays as it was', async () => {
  const workspace = workspaceWith({
    '.ralph/issues/1.md': '---\ntitle: A\nstate: ready-for-plan\n---\n',
    '.ralph/config.yaml': 'agents: {own: {type: command, command: [node, x.mjs]}}\nroles: {executor: own}\n',
  });
  const result = await runProgram(runIssue, { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/issues are worked on in worktrees of a git repository[\s\S]*git init/);
  expect(stateOf(workspace)).toBe('ready-for-plan');
});
