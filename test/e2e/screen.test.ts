import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { diamondPlan, onlySession, release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const openWaiting = async (
  size: { readonly columns?: number; readonly rows?: number } = {},
  start = openScreen,
) => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = start(['run', '--plan', 'plan.yaml'], { cwd: workspace, ...size });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

test('the screen shows the running task, and q gives the terminal back with the way to go on', async () => {
  const { terminal } = await openWaiting({}, openTerminal);
  expect(terminal.isAlternate()).toBe(true);
  expect(terminal.screen()).toContain('First');
  terminal.press('q');
  await terminal.waitFor(/pause and leave/i);
  terminal.press('enter');
  expect(await terminal.exit).toBe(4);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toContain('ralph-tui resume');
});

test('p pauses a running command at its boundary, and p again goes on', async () => {
  const { workspace, terminal } = await openWaiting();
  terminal.press('p');
  await terminal.waitFor(/pausing/i);
  release(workspace, 'first');
  await terminal.waitFor('Paused by');
  release(workspace, 'second');
  terminal.press('p');
  await terminal.waitFor(/keep \d+ lessons?/i);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 1 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
});

test('a message typed into the composer reaches the task', async () => {
  const { workspace, terminal } = await openWaiting();
  terminal.press('i');
  await terminal.waitFor(/─ Inform ─/);
  terminal.type('the tide is out');
  await terminal.waitFor('the tide is out');
  terminal.press('enter');
  await terminal.waitFor(/sent/i);
  expect(await ask(['signals'], { cwd: workspace })).toMatchObject([
    { type: 'INFO', message: 'the tide is out' },
  ]);
});

test('the knowledge gate waits on a screen, and `approve` from a second terminal promotes what it names', async () => {
  const { workspace, terminal } = await openWaiting();
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  const status = await runProgram(['approve', 'nothing.md'], { cwd: workspace });
  expect(status).toMatchObject({ code: 2, stderr: expect.stringContaining('these wait: ') });
  const staged = /these wait: (\S+?\.md)/.exec(status.stderr)?.[1] ?? '';
  await ask(['approve', staged], { cwd: workspace });
  await terminal.waitFor('Complete:');
  expect(readFileSync(join(workspace, '.docs', staged), 'utf8')).toContain('promoted_at');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('a skip with the keys completes the session, and the staged files stay', async () => {
  const { workspace, terminal } = await openWaiting();
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  terminal.press('u');
  await terminal.waitFor('Keep these lessons?');
  terminal.press('enter');
  await terminal.waitFor(/keep none/);
  terminal.press('s');
  await terminal.waitFor(/Enter|y /);
  terminal.press('enter');
  await terminal.waitFor('Complete:');
  expect(existsSync(join(workspace, '.docs'))).toBe(false);
  expect(readFileSync(join(onlySession(workspace), 'journal.jsonl'), 'utf8')).toContain('"decision":"skip"');
});

test('an attached screen steers a session that another process is running', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  const terminal = openScreen(['attach'], { cwd: workspace });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  terminal.press('p');
  await terminal.waitFor(/Pausing/);
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor('Paused by');
  terminal.press('p');
  expect((await program.done).code).toBe(0);
  await terminal.waitFor('Complete:');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('a closed terminal leaves no engine behind', async () => {
  const { workspace, terminal } = await openWaiting({}, openTerminal);
  terminal.kill('SIGHUP');
  await terminal.exit;
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test('every size from 80 × 24 up shows a frame that fits, also after a resize', async () => {
  const { terminal } = await openWaiting({ columns: 80, rows: 24 }, openTerminal);
  terminal.resize(120, 40);
  await terminal.waitFor((screen) => screen.split('\n').some((row) => row.length > 100));
  terminal.resize(80, 24);
  await terminal.waitFor((screen) => screen.includes('First'));
  expect(terminal.rows().length).toBe(24);
});

test('`ralph-tui` alone opens the newest session to look at, and starts nothing', async () => {
  const { workspace, terminal } = await openWaiting({}, openTerminal);
  terminal.kill('SIGTERM');
  await terminal.exit;
  const viewer = openScreen([], { cwd: workspace });
  onTestFinished(() => viewer.kill('SIGKILL'));
  await viewer.waitFor('First');
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ host: null });
  viewer.press('q');
  expect(await viewer.exit).toBe(0);
});

test('without sessions it says what one can do', async () => {
  const result = await runProgram([], { cwd: workspaceWith({}) });
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('ralph-tui demo') });
});

test('with NO_COLOR the screen is drawn without a colour, and every status still differs in shape and word', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const terminal = openScreen(['attach'], { cwd: workspace, env: { NO_COLOR: '1' } });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('prints the report');
  terminal.press('escape');
  await terminal.waitFor(/^(?![\s\S]*prints the report)[\s\S]*│ ✓ right /);
  terminal.press('w');
  await terminal.waitFor(/✓ right .*done/);
  expect(terminal.raw()).not.toMatch(/\u001b\[[\d;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[\d;]*)?m/);
});
