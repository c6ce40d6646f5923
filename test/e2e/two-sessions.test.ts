import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { release, waitFor, workspaceWith } from '../helpers/workspace.ts';

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
  const terminal = openTerminal(['run', '--plan', 'plan.yaml', '--yes'], {
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
  await terminal.waitFor(/Start another session here\?[\s\S]*runs in this workspace already/);
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  const quiet = await terminal.waitFor(/│ +waiting for shown/);
  expect(quiet).not.toContain('waits for you');
  release(workspace, 'behind');
  await terminal.waitFor(`session ${behind} waits for you: S`);
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
  expect(calls()).toMatchObject([expect.stringMatching(`^${behind}: Approve knowledge`)]);
  await ask(['skip', '--session', behind], { cwd: workspace });
  await terminal.waitFor((screen) => !screen.includes('aits for you') && screen.includes('How it ended'));
});

const sessionsIn = async (workspace: string): Promise<readonly string[]> =>
  z
    .array(z.object({ session_id: z.string() }))
    .parse(await ask(['sessions'], { cwd: workspace }))
    .map((row) => row.session_id);
