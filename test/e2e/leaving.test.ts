import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { configFor } from '../helpers/asking-agent.ts';
import { programFile } from '../helpers/built-program.ts';
import { leaveRunning } from '../helpers/leave-running.ts';
import { cleanEnvironment, runProgram } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { saysInDetails } from '../helpers/says-in-details.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { sessionText } from '../helpers/session-files.ts';
import { canSsh, startSshMachine } from '../helpers/ssh-machine.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, release, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

const open = async (
  plan = waitingPlan,
  env: Readonly<Record<string, string>> = {},
  start = openTerminal,
): Promise<{ readonly workspace: string; readonly terminal: TestTerminal }> => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const terminal = start(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

const hosted = z.object({ host: z.object({ pid: z.number(), alive: z.literal(true) }) });

/** The pid of whoever runs the workspace's session; it is stopped when the test has ended. */
const hostPid = async (workspace: string): Promise<number> => {
  const { pid } = hosted.parse(await ask(['status'], { cwd: workspace })).host;
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  return pid;
};

/** Lets the waiting session in the background come to its gate, takes it, and sees it end. */
const seeItEnd = async (workspace: string): Promise<void> => {
  const again = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => again.kill('SIGKILL'));
  await again.waitFor(/attached/);
  release(workspace, 'first');
  release(workspace, 'second');
  await again.waitFor(/Waiting for you: keep \d+ lessons?/);
  await ask(['skip'], { cwd: workspace });
  await again.waitFor(/─ Complete ─[\s\S]*│ 2 of 2 done/);
  again.press('q');
  expect(await again.exit).toBe(0);
};

test('leave it running: the same process goes on without the terminal, and a later ralph-tui attaches to it', async () => {
  const { workspace, terminal } = await open();
  const host = await hostPid(workspace);
  const before = agentsAndStarts(workspace);
  terminal.press('q');
  await terminal.waitFor(/Leave it running +agents continue, in the background/);
  terminal.press('up');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toContain(`continues in the background (pid ${host})`);
  expect(await hostPid(workspace)).toBe(host);
  expect(agentsAndStarts(workspace)).toEqual(before);
  expect(statSync(join(onlySession(workspace), 'host.log')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(onlySession(workspace), 'host.log'), 'utf8')).toBe('');
  // Nothing of the terminal is held any more: neither a stream, nor a wish of its shell.
  expect([0, 1, 2].map((stream) => readlinkSync(`/proc/${host}/fd/${stream}`))).not.toContainEqual(
    expect.stringMatching('^/dev/pts'),
  );
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTSTP'] as const) process.kill(host, signal);
  await seeItEnd(workspace);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 1 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
  expect(countOf(workspace, 'session.started')).toBe(1);
});

test('an agent in the middle of its turn notices nothing of ten times leaving and coming back', async () => {
  const agent = createScriptedAgent(tempDir(), {
    turns: [
      {
        actions: [
          { do: 'say', text: 'at work' },
          { do: 'until-file', path: 'go' },
          { do: 'write', path: 'made.txt', text: 'made\n' },
          {
            do: 'say',
            text: JSON.stringify({
              status: 'completed',
              summary: ['Made it.'],
              files_modified: ['made.txt'],
            }),
          },
        ],
      },
    ],
  });
  const config = configFor(agent);
  const env = { XDG_CONFIG_HOME: config };
  const workspace = workspaceWith({
    'plan.yaml': `goal: Make it\ntasks:\n  - {id: make, title: Make, files: [made.txt], verify: ['test -f made.txt']}\n`,
  });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('at work');
  const sent = agent.log().length;
  const host = await hostPid(workspace);
  const before = agentsAndStarts(workspace);
  expect(await leaveRunning(terminal)).toBe(0);
  for (let time = 1; time < 10; time += 1) {
    const again = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36, env });
    await again.waitFor(/attached[\s\S]*mine works on make/);
    again.press('q');
    await again.waitFor('▌Leave it running');
    again.press('enter');
    expect(await again.exit).toBe(0);
  }
  expect(await hostPid(workspace)).toBe(host);
  expect(agentsAndStarts(workspace)).toEqual(before);
  expect(agent.log()).toHaveLength(sent);
  writeIn(workspace, 'go', '');
  const last = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36, env });
  await last.waitFor(/1 of 1 done/);
  await last.kill('SIGKILL');
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{ status: 'done', attempt: 1 }]);
  expect(agent.log().filter(({ what }) => what === 'turn')).toHaveLength(1);
});

/** The processes of the agents, and what was begun so far: neither changes where nothing restarts. */
const agentsAndStarts = (workspace: string) => ({
  agents: markedProcesses(onlySession(workspace)).filter((pid) => leaderOf(pid) === pid),
  starts: sessionText(workspace, 'journal.jsonl')
    .split('\n')
    .filter((line) => /"type":"(?:session|invocation|task|attempt|turn|command)\.started"/.test(line)),
});

const countOf = (workspace: string, type: string): number =>
  sessionText(workspace, 'journal.jsonl').split(`"type":"${type}"`).length - 1;

test('what was set while a session ran holds when it is left running and when it is resumed', async () => {
  const { workspace, terminal } = await open();
  terminal.press('+');
  await terminal.waitFor(/max_parallel_executors = 4/);
  expect(await leaveRunning(terminal)).toBe(0);
  const pid = await hostPid(workspace);
  const viewer = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => viewer.kill('SIGKILL'));
  await viewer.waitFor(/waiting for first/);
  await saysInDetails(viewer, ' 4 executors');
  process.kill(pid, 'SIGTERM');
  await viewer.waitFor(/Stopped just now: quit\. R resume/);
  viewer.press('R');
  await viewer.waitFor(/running #2/);
  await saysInDetails(viewer, ' 4 executors');
});

test('run --background returns at once, and SIGTERM stops what it left behind and saves', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const started = await runProgram(['run', '--plan', 'plan.yaml', '--background'], { cwd: workspace });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('continues in the background') });
  const pid = await hostPid(workspace);
  const viewer = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => viewer.kill('SIGKILL'));
  await viewer.waitFor('waiting for first');
  expect(readFileSync(join(onlySession(workspace), 'journal.jsonl'), 'utf8')).toContain(
    '"approval_timeout":86400000',
  );
  process.kill(pid, 'SIGTERM');
  await viewer.waitFor(/Stopped just now: quit\. R resume/);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  viewer.press('q');
  expect(await viewer.exit).toBe(0);
  const again = await runProgram(['resume', '--background'], { cwd: workspace });
  expect(again.code).toBe(0);
  await hostPid(workspace);
  await seeItEnd(workspace);
});

test('a background start that cannot be says why', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  await runProgram(['run', '--plan', 'plan.yaml', '--background'], { cwd: workspace });
  await hostPid(workspace);
  const second = await runProgram(['resume', '--background'], { cwd: workspace });
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('did not start') });
});

// With a closed window, and another task that could start, terminal-gone.test.ts shows each choice in the short form as well.
const long = test.runIf(isLongForm);

long.each([
  ['pause', 'paused', 'quit: the terminal was closed'],
  ['abort', 'aborted', 'aborted'],
] as const)('on_disconnect: %s is what a closed terminal does', async (choice, status, reason) => {
  const { workspace, terminal } = await open(`${waitingPlan}settings: {on_disconnect: ${choice}}\n`);
  terminal.kill('SIGHUP');
  await terminal.exit;
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status,
    stop_reason: reason,
    host: null,
  });
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
});

const background = `${waitingPlan}settings: {on_disconnect: background}\n`;

test.each([
  ['SIGHUP', ({ terminal }) => terminal.kill('SIGHUP')],
  ['a closed window', ({ terminal }) => Promise.resolve(terminal.close())],
  [
    'the end of the process that the shell waits for',
    ({ host }) => Promise.resolve(process.kill(parentOf(host), 'SIGKILL')),
  ],
] as const satisfies readonly (readonly [
  string,
  (at: { terminal: TestTerminal; host: number }) => Promise<unknown>,
])[])('on_disconnect: background leaves the session as it is after %s', async (_, lose) => {
  const { workspace, terminal } = await open(background);
  const host = await hostPid(workspace);
  const before = agentsAndStarts(workspace);
  await lose({ terminal, host });
  await terminal.exit;
  await expect.poll(() => readlinkSync(`/proc/${host}/fd/1`)).toMatch(/host\.log$/);
  expect(await hostPid(workspace)).toBe(host);
  expect(agentsAndStarts(workspace)).toEqual(before);
  await seeItEnd(workspace);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
});

/** The session holds on when its terminal is lost, and can be ended. */
const holdsOn = async (workspace: string, lose: () => unknown): Promise<void> => {
  const host = await hostPid(workspace);
  const before = agentsAndStarts(workspace);
  await lose();
  await expect.poll(() => readlinkSync(`/proc/${host}/fd/1`)).toMatch(/host\.log$/);
  expect(await hostPid(workspace)).toBe(host);
  expect(agentsAndStarts(workspace)).toEqual(before);
  process.kill(host, 'SIGTERM');
  await expect
    .poll(() => ask(['status'], { cwd: workspace }))
    .toMatchObject({ status: 'paused', host: null });
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
};

/** Continuous integration installs both. */
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

test.runIf(hasTmux)(
  'on_disconnect: background leaves the session as it is after tmux has killed its session',
  async () => {
    const workspace = workspaceWith({ 'plan.yaml': background });
    const socket = join(tempDir(), 'tmux');
    const tmux = (...args: readonly string[]): string =>
      execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
        cwd: workspace,
        env: cleanEnvironment({ TERM: 'xterm-256color' }),
        encoding: 'utf8',
      });
    tmux(
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '36',
      '--',
      process.execPath,
      programFile,
      'run',
      '--plan',
      'plan.yaml',
      '--yes',
    );
    await expect.poll(() => tmux('capture-pane', '-p')).toContain('waiting for first');
    await holdsOn(workspace, () => tmux('kill-server'));
  },
);

test.runIf(canSsh())(
  'on_disconnect: background leaves the session as it is after its ssh connection was cut',
  async () => {
    const workspace = workspaceWith({ 'plan.yaml': background });
    const machine = await startSshMachine();
    const command = `cd '${workspace}' && exec '${process.execPath}' '${programFile}' run --plan plan.yaml --yes`;
    const terminal = pty.spawn(join(machine.path, 'ssh'), ['-t', 'gpu1', command], {
      name: 'xterm-256color',
      cols: 120,
      rows: 36,
      env: cleanEnvironment(),
    });
    onTestFinished(() => terminal.kill('SIGKILL'));
    let shown = '';
    terminal.onData((text) => {
      shown += text;
    });
    await expect.poll(() => shown).toContain('waiting for first');
    // Nobody says goodbye: the server finds the connection closed, and takes the terminal away.
    await holdsOn(workspace, () => terminal.kill('SIGKILL'));
  },
);

const parentOf = (pid: number): number => statOf(pid, 1);

/** The commands of the plan wait by short `sleep`s; each agent or command itself leads a process group. */
const leaderOf = (pid: number): number => statOf(pid, 2);

const statOf = (pid: number, field: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[field]);
  } catch {
    return 0;
  }
};

test('ctrl-c twice pauses, verifies that the agents are gone, and gives the terminal back', async () => {
  const { workspace, terminal } = await open();
  terminal.press('ctrl-c');
  await terminal.waitFor(/Leave\?/);
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(4);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toContain('ralph-tui resume');
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'paused',
    stop_reason: 'quit',
  });
});

test('a screen that breaks while drawing pauses the session, and says how to go on', async () => {
  // Something only the quit choices are drawn with breaks: what is tested is the program as it is built.
  const breaks = join(workspaceWith({}), 'breaks.mjs');
  writeFileSync(
    breaks,
    `const padEnd = String.prototype.padEnd;
String.prototype.padEnd = function (...args) {
  if (String(this) === 'Leave it running') throw new Error('a component broke');
  return padEnd.apply(this, args);
};
`,
  );
  const { workspace, terminal } = await open(waitingPlan, { NODE_OPTIONS: `--import ${breaks}` });
  terminal.press('q');
  expect(await terminal.exit).toBe(1);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toContain('the screen crashed: a component broke');
  expect(terminal.screen()).toContain('ralph-tui resume');
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'paused',
    stop_reason: 'quit: the screen crashed',
    host: null,
  });
});
