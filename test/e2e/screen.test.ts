import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const openWaiting = async (size: { readonly columns?: number; readonly rows?: number } = {}) => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, ...size });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

test('the screen shows the running task, and q gives the terminal back with the way to go on', async () => {
  const { terminal } = await openWaiting();
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
  await terminal.waitFor(/knowledge/i);
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 1 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
});

test('a message typed into the composer reaches the task', async () => {
  const { workspace, terminal } = await openWaiting();
  terminal.press('i');
  await terminal.waitFor(/INFO/);
  terminal.type('the tide is out');
  await terminal.waitFor('the tide is out');
  terminal.press('enter');
  await terminal.waitFor(/sent/i);
  expect(await runJson(['signals'], { cwd: workspace })).toMatchObject([
    { type: 'INFO', message: 'the tide is out' },
  ]);
});

test('a closed terminal leaves no engine behind', async () => {
  const { workspace, terminal } = await openWaiting();
  terminal.kill('SIGHUP');
  await terminal.exit;
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test('every size from 80 × 24 up shows a frame that fits, also after a resize', async () => {
  const { terminal } = await openWaiting({ columns: 80, rows: 24 });
  terminal.resize(120, 40);
  await terminal.waitFor((screen) => screen.split('\n').some((row) => row.length > 100));
  terminal.resize(80, 24);
  await terminal.waitFor((screen) => screen.includes('First'));
  expect(terminal.rows().length).toBe(24);
});

test('`ralph-tui` alone opens the newest session to look at, and starts nothing', async () => {
  const { workspace, terminal } = await openWaiting();
  terminal.kill('SIGTERM');
  await terminal.exit;
  const viewer = openTerminal([], { cwd: workspace });
  onTestFinished(() => viewer.kill('SIGKILL'));
  await viewer.waitFor('First');
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ host: null });
  viewer.press('q');
  expect(await viewer.exit).toBe(0);
});

test('without sessions it says what one can do', async () => {
  const result = await runProgram([], { cwd: workspaceWith({}) });
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('ralph-tui demo') });
});
