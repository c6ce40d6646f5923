import { expect, onTestFinished, test } from 'vitest';
import { runJson } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

/** Fails until the file `mended` is there. */
const failingPlan = `goal: Fail until mended
settings: {retries: {max_attempts: 1}, knowledge: {approval_timeout: 0}}
tasks:
  - id: good
    title: Good
    run: [echo good]
  - id: broken
    title: Broken
    run: ['echo looking for mended; test -e mended']
  - id: behind
    title: Behind it
    blockedBy: [broken]
    run: [echo behind]
`;

test('a session that ends with a failure shows it first; r and R open the task again in the same screen', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Ended with failures · 1 of 3 done · 1 failed · 1 unreachable/);
  await terminal.waitFor('looking for mended');
  writeIn(workspace, 'mended', '');
  terminal.press('r');
  await terminal.waitFor('Nobody runs the session: it is read on resume');
  terminal.press('enter');
  await terminal.waitFor('R resumes it');
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ host: null, pending_signals: 1 });
  terminal.press('R');
  await terminal.waitFor(/Complete · 3 of 3 done/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('a session that ended is shown with its end when one comes back, and R without a retry ends it as it was', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failingPlan });
  const first = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => first.kill('SIGKILL'));
  await first.waitFor('How it ended');
  first.press('q');
  expect(await first.exit).toBe(1);
  const again = openTerminal([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => again.kill('SIGKILL'));
  await again.waitFor('Ended with failures');
  again.press('R');
  await again.waitFor('Ended with failures');
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    status: 'awaiting_feedback',
    stop_reason: 'failed tasks',
  });
});
