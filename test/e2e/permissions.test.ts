import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { saysInDetails } from '../helpers/says-in-details.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const open = (workspace: string, args: readonly string[]): TestTerminal => {
  const terminal = openTerminal(args, { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

test('what --permissions said goes on where this program starts it: left running, and in the words that go on', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace, ['run', '--plan', 'plan.yaml', '--permissions', 'workspace']);
  await first.waitFor(/│ +waiting for first/);
  await saysInDetails(first, 'permissions workspace');
  first.press('q');
  await first.waitFor('▌Pause and leave');
  first.press('up');
  await first.waitFor('▌Leave it running');
  first.press('enter');
  await first.exit;
  const attached = open(workspace, ['attach']);
  await attached.waitFor(/attached/);
  await saysInDetails(attached, 'permissions workspace');
  attached.kill('SIGKILL');
  expect((await runProgram(['signal', 'ABORT'], { cwd: workspace })).code).toBe(0);
});

test('resume says it anew, and a resume without a word keeps what was said last', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace, ['run', '--plan', 'plan.yaml', '--permissions', 'all']);
  await first.waitFor(/│ +waiting for first/);
  await saysInDetails(first, 'permissions all');
  first.kill('SIGTERM');
  await first.exit;
  const id = basename(onlySession(workspace));
  expect(first.screen()).toContain(`ralph-tui resume ${id} --permissions all`);
  const again = open(workspace, ['resume', '--permissions', 'edits']);
  await again.waitFor(/running #2/);
  await saysInDetails(again, 'permissions edits');
  again.kill('SIGTERM');
  await again.exit;
  const last = open(workspace, ['resume']);
  await last.waitFor(/running #3/);
  await saysInDetails(last, 'permissions edits');
});
