import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram, startSession } from '../helpers/program.ts';
import { openScreen } from '../helpers/terminal.ts';
import { release, waitFor, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const plan = (goal: string): string => `goal: ${goal}
tasks:
  - {id: only, title: Only, files: [${goal}.txt], run: ['${waitFor(goal)}', 'echo ${goal} > ${goal}.txt']}
`;

test('the session behind the screen that comes to wait for somebody is named on the one that is shown, until that is settled', async () => {
  const workspace = workspaceWith({
    'plan.yaml': plan('behind'),
    'plan2.yaml': plan('shown'),
    'config/ralph-tui/config.yaml': 'ui: {notify: osc}\nknowledge: {gate: always}\n',
  });
  const terminal = openScreen(['run', '--plan', 'plan.yaml', '--yes'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env: { XDG_STATE_HOME: join(workspace, 'state'), XDG_CONFIG_HOME: join(workspace, 'config') },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/│ +waiting for behind/);
  const [behind = ''] = await sessionsIn(workspace);
  terminal.press('ctrl-n');
  await terminal.waitFor(/▌plan\.yaml +behind[\s\S]*plan2\.yaml +shown[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/Start another session here\?[\s\S]*is already running in this workspace/);
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  const quiet = await terminal.waitFor(/│ +waiting for shown/);
  expect(quiet).not.toContain('waits for you');
  release(workspace, 'behind');
  await terminal.waitFor(`session ${behind} is waiting for you: S`);
  // Called for once, as for the session that is shown.
  const calls = () => terminal.raw().split('\u001b]9;').slice(1);
  await terminal.waitFor(() => calls().length > 0);
  const { stdout } = await runProgram(['sessions'], { cwd: workspace });
  expect(stdout.split('\n').filter((line) => line.includes('waits for you'))).toMatchObject([
    expect.stringContaining(behind),
  ]);
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*▌\d{6}-\d{6} {2}in progress \d\/\d · shown now/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/Waiting for you/);
  expect(calls()).toMatchObject([expect.stringMatching(`^${behind}: Keep `)]);
  await ask(['skip', '--session', behind], { cwd: workspace });
  await terminal.waitFor(
    (screen) => !screen.includes('aits for you') && screen.includes('prints the report'),
  );
});

const sessionsIn = async (workspace: string): Promise<readonly string[]> =>
  z
    .array(z.object({ session_id: z.string() }))
    .parse(await ask(['sessions'], { cwd: workspace }))
    .map((row) => row.session_id);

const startFirst = async (): Promise<string> => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    'second.plan.yaml':
      'goal: Write\ntasks: [{id: a, title: A, files: [first.txt], run: [touch first.txt]}]\n',
  });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
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
      /session \d{6}-\d{6} is already running in this workspace .*both change first\.txt.*attach/s,
    ),
  });
  expect(await ask(['sessions'], { cwd: workspace })).toHaveLength(1);
  const anyway = await runProgram([...second, '--headless'], { cwd: workspace });
  expect(anyway).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('is already running in this workspace'),
  });
});

test('on a terminal the second start asks, and may attach to the first', async () => {
  const workspace = await startFirst();
  const terminal = openScreen(second, { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Attach to it, run this alongside it, or neither\? \[a\/r\/N\]/);
  terminal.press('a\r');
  await terminal.waitFor(/waiting for first/);
  expect(await ask(['sessions'], { cwd: workspace })).toHaveLength(1);
});
