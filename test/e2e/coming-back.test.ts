import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { startProgram } from '../helpers/program.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** A terminal in the workspace whose person remembers: the state directory lies in the workspace too. */
const open = (workspace: string, args: readonly string[] = [], start = openScreen): TestTerminal => {
  const terminal = start(args, {
    cwd: workspace,
    env: { XDG_STATE_HOME: join(workspace, 'state') },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

test('a crashed session is shown read-only first, and R goes on with it in the same screen', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace, ['run', '--plan', 'plan.yaml'], openTerminal);
  await first.waitFor('waiting for first');
  first.kill('SIGKILL');
  await first.exit;
  const terminal = open(workspace);
  await terminal.waitFor(/Stopped .*: crashed\. R resume/);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ host: { alive: false } });
  terminal.press('R');
  await terminal.waitFor('Now:');
  await expect
    .poll(() => ask(['status'], { cwd: workspace }))
    .toMatchObject({ host: { alive: true, pid: terminal.pid } });
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  terminal.press('q');
  await terminal.waitFor(/pause and leave/i);
  terminal.press('enter');
  expect(await terminal.exit).toBe(4);
  expect(terminal.screen()).toContain('ralph-tui resume');
});

test('what happened since a screen last showed the session is said on return, once', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('waiting for first');
  const before = open(workspace);
  await before.waitFor('waiting for first');
  expect(before.screen()).not.toContain('Since you left');
  before.press('q');
  await before.waitFor(/Leave it running/);
  before.press('enter');
  expect(await before.exit).toBe(0);
  release(workspace, 'first');
  release(workspace, 'second');
  expect((await program.done).code).toBe(0);
  const after = open(workspace);
  await after.waitFor('Since you left: 2 done');
  after.press('q');
  expect(await after.exit).toBe(0);
  const again = open(workspace);
  await again.waitFor(/Complete:/);
  expect(again.screen()).not.toContain('Since you left');
});

test('R on a session that somebody runs by now says so and changes nothing', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace, ['run', '--plan', 'plan.yaml'], openTerminal);
  await first.waitFor('waiting for first');
  const viewer = open(workspace);
  await viewer.waitFor('waiting for first');
  viewer.press('R');
  await viewer.waitFor('The session is running');
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    host: { alive: true, pid: first.pid },
  });
});

test('attaching shows what the command under way printed before, and what a killed one had printed is not lost', async () => {
  const plan = `goal: Print and wait\ntasks:\n  - id: one\n    title: One\n    run: ['echo before $((40 + 2)); while [ ! -e go ] && [ -e plan.yaml ]; do sleep 0.05; done']\n`;
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('before 42');
  const attached = open(workspace);
  await attached.waitFor(/attached[\s\S]*│ +before 42/);
  program.kill('SIGKILL');
  await program.done;
  const later = open(workspace);
  await later.waitFor(/crashed[\s\S]*cut off[\s\S]*│ +before 42/);
});
