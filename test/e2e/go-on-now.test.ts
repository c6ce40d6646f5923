import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { startProgram } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** A session that was paused and left. */
const held = async (): Promise<string> => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  await ask(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor('PAUSE handled');
  program.kill('SIGINT');
  await program.done;
  return workspace;
};

test('`resume` of a held session asks on the screen: Esc leaves it held, Enter goes on', async () => {
  const workspace = await held();
  const terminal = openTerminal(['resume'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Continue now\?[\s\S]*The session is paused by/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Continue now?'));
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ held: true });
  terminal.press('p');
  await terminal.waitFor(/│ +waiting for first/);
  release(workspace, 'first');
  await terminal.waitFor('waiting for second');
});

test('Enter in the question lifts the hold', async () => {
  const workspace = await held();
  const terminal = openTerminal(['resume'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Continue now?');
  terminal.press('enter');
  await terminal.waitFor(/│ +waiting for first/);
  await expect
    .poll(() => ask(['status'], { cwd: workspace }))
    .toMatchObject({ held: false, status: 'in_progress' });
});
