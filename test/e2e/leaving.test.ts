import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { saysInDetails } from '../helpers/says-in-details.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

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
  await again.waitFor(/Waiting for you: (?:approve )?knowledge.* (?:if unanswered by|until) /);
  await ask(['skip'], { cwd: workspace });
  await again.waitFor(/─ Complete ─[\s\S]*│ 2 of 2 done/);
  again.press('q');
  expect(await again.exit).toBe(0);
};

test('leave it running: the session goes on in a process of its own, and a later ralph-tui attaches to it', async () => {
  const { workspace, terminal } = await open(waitingPlan, {}, openScreen);
  terminal.press('q');
  const asked = await terminal.waitFor(/Leave it running/);
  expect(asked).toMatch(/continues in the background; running attempts restart/);
  terminal.press('up');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toMatch(/continues in the background \(pid \d+\)/);
  const pid = await hostPid(workspace);
  expect(pid).not.toBe(terminal.pid);
  expect(await ask(['sessions'], { cwd: workspace })).toMatchObject([{ host: { pid, alive: true } }]);
  expect(statSync(join(onlySession(workspace), 'host.log')).mode & 0o777).toBe(0o600);
  await seeItEnd(workspace);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 2 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
});

test('what was set while a session ran holds when it is left running and when it is resumed', async () => {
  const { workspace, terminal } = await open(waitingPlan, {}, openScreen);
  terminal.press('+');
  await terminal.waitFor(/max_parallel_executors = 4/);
  terminal.press('q');
  await terminal.waitFor(/Leave it running/);
  terminal.press('up');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  const pid = await hostPid(workspace);
  const viewer = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => viewer.kill('SIGKILL'));
  await viewer.waitFor(/waiting for first/);
  await saysInDetails(viewer, ' 4 executors');
  process.kill(pid, 'SIGTERM');
  await viewer.waitFor(/Stopped just now: quit\. R resume/);
  viewer.press('R');
  await viewer.waitFor(/running #3/);
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

long('on_disconnect: background moves the session when the terminal closes', async () => {
  const { workspace, terminal } = await open(`${waitingPlan}settings: {on_disconnect: background}\n`);
  terminal.kill('SIGHUP');
  await terminal.exit;
  expect(await hostPid(workspace)).not.toBe(terminal.pid);
  await seeItEnd(workspace);
});

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
