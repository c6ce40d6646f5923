import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { configFor, createAskingAgent } from '../helpers/asking-agent.ts';
import { leaveRunning } from '../helpers/leave-running.ts';
import { runProgram } from '../helpers/program.ts';
import { saysInDetails } from '../helpers/says-in-details.ts';
import { openScreen, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const open = (workspace: string, args: readonly string[]): TestTerminal => {
  const terminal = openScreen(args, { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

test('what --permissions said goes on where this program starts it: left running, and in the words that go on', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace, ['run', '--plan', 'plan.yaml', '--permissions', 'workspace']);
  await first.waitFor(/│ +waiting for first/);
  await saysInDetails(first, 'permissions workspace');
  await leaveRunning(first);
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

const plan = `goal: Make it
tasks:
  - id: make
    title: Make the file
    files: [made.txt]
    verify: ["test -f made.txt"]
`;

test('a permission waits in the queue with its command and directory; a second program cannot answer it, a key on the screen does', async () => {
  const agent = createAskingAgent();
  const config = configFor(agent);
  const env = { XDG_CONFIG_HOME: config };
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Needs you (1)');
  const refused = await runProgram(['answer', 'permission:Executor-2:1', 'yes'], { cwd: workspace, env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('only by a person: with keys on a screen of the session');
  expect(await ask(['status'], { cwd: workspace, env })).toMatchObject({
    requests: [
      {
        kind: 'permission',
        text: 'mine asks to run touch made.txt',
        command: 'touch made.txt',
        directory: workspace,
        options: [{ id: 'once' }, { id: 'session' }, { id: 'no' }],
      },
    ],
    permissions: [
      { agent: 'mine', task: 'make', kind: 'command', asks: 'touch made.txt', directory: workspace },
    ],
  });
  terminal.press('u');
  await terminal.waitFor(
    (screen) => screen.includes(`│ In       ${workspace} `) && screen.includes('│ Command  touch made.txt '),
  );
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  terminal.press('1');
  await terminal.waitFor('allowed once');
  await terminal.waitFor('1 of 1 done');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
});
