import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** Screens on a session that has ended. */
const openMany = async (count: number): Promise<readonly TestTerminal[]> => {
  const workspace = workspaceWith({ 'plan.yaml': 'goal: Once\ntasks: [{title: one, run: ["true"]}]\n' });
  expect((await runProgram(['run', '--plan', 'plan.yaml', '--yes'], { cwd: workspace })).code).toBe(0);
  return Array.from({ length: count }, (_, index) => {
    const terminal = openTerminal([], {
      cwd: workspace,
      env: { XDG_STATE_HOME: join(workspace, `state-${index}`) },
    });
    onTestFinished(() => terminal.kill('SIGKILL'));
    return terminal;
  });
};

/** In the moment in which the terminal has been given these bytes. */
const pressAt = async (terminal: TestTerminal, moment: string): Promise<void> => {
  await terminal.waitFor(() => terminal.raw().includes(moment));
  terminal.press('q');
};

test.each([
  ['as soon as the screen changes', '\u001b[?1049h'],
  ['with the first frame', 'How it ended'],
  ['when the terminal is asked to tell pastes apart', '\u001b[?2004h'],
])('a key that is pressed %s counts', async (_, moment) => {
  const terminals = await openMany(2);
  await Promise.all(terminals.map((terminal) => pressAt(terminal, moment)));
  for (const terminal of terminals) expect(await terminal.exit).toBe(0);
});
