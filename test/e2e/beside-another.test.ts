import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const startFirst = async (): Promise<string> => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    'second.plan.yaml':
      'goal: Write\ntasks: [{id: a, title: A, files: [first.txt], run: [touch first.txt]}]\n',
  });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  return workspace;
};
const second = ['run', '--plan', 'second.plan.yaml'];

test('headless, a second session in one workspace is exit 3 that names the first and the files of both', async () => {
  const workspace = await startFirst();
  const result = await runProgram([...second, '--headless'], { cwd: workspace, asked: true });
  expect(result).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /session \d{6}-\d{6} runs in this workspace already .*both change first\.txt.*attach/s,
    ),
  });
  expect(await ask(['sessions'], { cwd: workspace })).toHaveLength(1);
  const anyway = await runProgram([...second, '--headless'], { cwd: workspace });
  expect(anyway).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('runs in this workspace already'),
  });
});

test('on a terminal the second start asks, and may attach to the first', async () => {
  const workspace = await startFirst();
  const terminal = openTerminal(second, { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Attach to it, run this beside it, or neither\? \[a\/r\/N\]/);
  terminal.press('a\r');
  await terminal.waitFor(/waiting for first/);
  expect(await ask(['sessions'], { cwd: workspace })).toHaveLength(1);
});
