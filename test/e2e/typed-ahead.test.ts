import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { sized } from '../helpers/test-form.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** A workspace whose session has lost the program that ran it. */
const crashed = async (): Promise<string> => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const host = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await host.waitFor('waiting for first');
  host.kill('SIGKILL');
  await host.done;
  return workspace;
};

const attach = (workspace: string, input: string) => {
  const program = startProgram(['attach', '--screen-reader'], { cwd: workspace, input });
  onTestFinished(() => program.kill('SIGKILL'));
  return program;
};

test('resume and quit in one write: the session is taken up, saved and left', async () => {
  const workspace = await crashed();
  const { code, stdout } = await attach(workspace, 'resume\nquit\n').done;
  expect(stdout).toMatch(/resumed by pid[\s\S]*paused, quit \(exit 4\)/);
  expect(code).toBe(4);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test('every line of a script that is piped in is done, each by whoever holds the prompt then, and the last one needs no end', async () => {
  const workspace = await crashed();
  const program = attach(workspace, 'info before\nresume\ninfo after\nnonsense\nquit');
  program.endInput();
  const { code, stdout } = await program.done;
  expect(code).toBe(4);
  expect(stdout).toMatch(/sent INFO.*no process is running[\s\S]*resumed by pid/);
  expect(stdout).toMatch(/Type help[\s\S]*Type help[\s\S]*sent INFO[\s\S]*unknown command "nonsense"/);
});

test('on a terminal as well: what is typed while resume takes the session up is heard', async () => {
  const workspace = await crashed();
  const terminal = openTerminal(['attach', '--screen-reader'], { cwd: workspace, columns: 200 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Type help');
  terminal.type('resume\rquit\r');
  expect(await terminal.exit).toBe(4);
  expect(terminal.raw()).toMatch(/paused, quit \(exit 4\)/);
});

test('whoever has stopped typing before the session stops is told how it stands, and the program ends', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const host = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => host.kill('SIGKILL'));
  await host.waitFor('waiting for first');
  const viewer = attach(workspace, 'nonsense\n');
  viewer.endInput();
  await viewer.waitFor('unknown command');
  host.kill('SIGKILL');
  const { code, stdout } = await viewer.done;
  expect(stdout).toMatch(/Stopped .*: crashed[\s\S]*is not running; `ralph-tui resume/);
  expect(code).toBe(0);
});

const asked = () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml', '--screen-reader'], {
    cwd: workspace,
    columns: 200,
    asked: true,
    env: { XDG_STATE_HOME: join(workspace, 'state') },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return { workspace, terminal };
};

test('what was typed before the question of trust is no answer to it', async () => {
  const { workspace, terminal } = asked();
  terminal.type('y\r');
  await terminal.waitFor('[y/N]');
  terminal.type('n\r');
  expect(await terminal.exit).toBe(0);
  expect(terminal.raw()).toContain('Nothing was started.');
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test('what is typed together with the answer is heard once the session runs', async () => {
  const { terminal } = asked();
  await terminal.waitFor('[y/N]');
  terminal.type('y\rquit\r');
  expect(await terminal.exit).toBe(4);
  expect(terminal.raw()).toMatch(/paused, quit \(exit 4\)/);
});

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
  ['with the first frame', 'prints the report'],
  ['when the terminal is asked to tell pastes apart', '\u001b[?2004h'],
])('a key that is pressed %s counts', async (_, moment) => {
  const terminals = await openMany(sized({ short: 1, long: 2 }));
  await Promise.all(terminals.map((terminal) => pressAt(terminal, moment)));
  for (const terminal of terminals) expect(await terminal.exit).toBe(0);
});
