import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanEnvironment, programFile, runJson, runProgram, startSession } from '../helpers/program.ts';
import { openScreen } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

const failing = `goal: Fail until mended
tasks:
  - {id: broken, title: Broken, run: [test -e mended]}
  - {id: good, title: Good, run: [echo good]}
settings: {retries: {max_attempts: 1}}
`;
const fine = 'goal: Another one\ntasks:\n  - {id: one, title: One, run: [echo one]}\n';

/** What a summary offers, by its label: `go on`, `again`, `decide`. */
const offered = (text: string, label: string): string => {
  const line = text.split('\n').find((each) => each.startsWith(`  ${label} `));
  if (line === undefined) throw new Error(`nothing is offered as "${label}" in\n${text}`);
  return line.slice(`  ${label}`.length).trim();
};

/** Every command that stands in backticks or after a label. */
const commandsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/`(ralph-tui [^`]+)`/g)].map(([, command = '']) => command),
  ...[...text.matchAll(/^ {2}(?:continue|again|decide|watch) +(.*ralph-tui .*)$/gm)].map(
    ([, command = '']) => command,
  ),
];

/** A PATH on which a shell finds the program by its name. */
const pathWithProgram = (): string => {
  const bin = workspaceWith({ 'ralph-tui': `#!/bin/sh\nexec "${process.execPath}" "${programFile}" "$@"\n` });
  chmodSync(join(bin, 'ralph-tui'), 0o755);
  return `${bin}:${process.env['PATH'] ?? ''}`;
};

/** Types a command as it was printed, into a shell in `cwd`. */
const typed = async (
  command: string,
  cwd: string,
  path = pathWithProgram(),
): Promise<{ code: number; output: string }> => {
  const env = cleanEnvironment({ PATH: path });
  try {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd, env });
    return { code: 0, output: `${stdout}${stderr}` };
  } catch (error) {
    const { code, stdout, stderr } = Object.assign({ code: -1, stdout: '', stderr: '' }, error);
    return { code: Number(code), output: `${stdout}${stderr}` };
  }
};

const statusOf = (workspace: string, session: string): Promise<unknown> =>
  runJson(['status', '--session', session], { cwd: workspace });

/** A session that is held and left, and a newer one beside it. */
const heldAndNewer = async (): Promise<{ workspace: string; session: string; summary: string }> => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan, 'fine.yaml': fine });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  await runJson(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor('PAUSE: pausing');
  program.kill('SIGINT');
  const { stdout } = await program.done;
  const session = /Session (\d{6}-\d{6})/.exec(stdout)?.[1] ?? '';
  await runProgram(['run', '--plan', 'fine.yaml'], { cwd: workspace });
  return { workspace, session, summary: stdout };
};

test('`continue` of a held session resumes that session, though a newer one is there', async () => {
  const { workspace, session, summary } = await heldAndNewer();
  for (const name of ['go-first', 'go-second']) writeIn(workspace, name, '');
  const { output } = await typed(offered(summary, 'continue'), '/');
  expect(output).toContain(`Session ${session}`);
  expect(await statusOf(workspace, session)).toMatchObject({ held: false });
});

test('`resume` of a held session without a screen says in one line that it is held, and ends with 4', async () => {
  const { workspace, session } = await heldAndNewer();
  const { code, stderr } = await runProgram(['resume', session], { cwd: workspace });
  expect(code).toBe(4);
  expect(stderr).toMatch(
    new RegExp(`session ${session} has been held by .*\`ralph-tui resume ${session} --lift\``, 's'),
  );
});

test('`again` of a failed session retries the task of that session, though a newer one is there', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failing, 'fine.yaml': fine });
  const { stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const session = /Session (\d{6}-\d{6})/.exec(stdout)?.[1] ?? '';
  await runProgram(['run', '--plan', 'fine.yaml'], { cwd: workspace });
  writeIn(workspace, 'mended', '');
  expect(await typed(offered(stdout, 'again'), '/')).toMatchObject({ code: 0 });
  expect(await statusOf(workspace, session)).toMatchObject({ tasks: { completed: 2, failed: 0 } });
});

test('every command of `status` names its session and works as printed', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `${fine}settings: {gates: [plan]}\n`,
    'fine.yaml': fine,
  });
  const { stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const session = /Session (\d{6}-\d{6})/.exec(stdout)?.[1] ?? '';
  await runProgram(['run', '--plan', 'fine.yaml'], { cwd: workspace });
  const status = await runProgram(['status', '--session', session], { cwd: workspace });
  const commands = [...commandsIn(stdout), ...commandsIn(status.stdout)];
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) expect(command).toContain(session);
  expect(await typed(offered(stdout, 'decide'), '/')).toMatchObject({ code: 0 });
  expect(await typed(offered(stdout, 'continue'), '/')).toMatchObject({ code: 0 });
  expect(await statusOf(workspace, session)).toMatchObject({ status: 'completed' });
});

/** Every command in backticks about a session, in a text for people. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:cd \S+ && )?ralph-tui [^`]+)`/g)].map(([, command = '']) => command);

test('hints and errors name the session too, and work as printed, though a newer one is there', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failing, 'fine.yaml': fine });
  const first = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const session = /Session (\d{6}-\d{6})/.exec(first.stdout)?.[1] ?? '';
  await runProgram(['run', '--plan', 'fine.yaml'], { cwd: workspace });
  const about = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await runProgram([...words, '--session', session], { cwd: workspace });
    return `${stdout}${stderr}`;
  };
  const printed = [
    await about('tasks', 'why', 'broken'),
    await about('logs', 'nobody'),
    await about('report'),
    await about('diff'),
    await about('signals', 'withdraw', 'nothing'),
    await about('approve'),
    await about('status'),
    await about('feedback', 'add', 'It is broken'),
    await about('retry', 'broken'),
  ];
  const commands = [...new Set(printed.flatMap((text) => [...named(text), ...commandsIn(text)]))];
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) expect(command).toContain(session);
  writeIn(workspace, 'mended', '');
  for (const command of commands)
    expect(await typed(command, workspace), command).not.toMatchObject({
      output: expect.stringMatching(/unknown|error: (missing|too many)/),
    });
  expect(await statusOf(workspace, session)).toMatchObject({ tasks: { failed: 0 } });
});

test('`status` gives the answer to a question with its first option, and it is taken as printed', async () => {
  const workspace = workspaceWith({ 'plan.yaml': `${fine}settings: {gates: [plan]}\n` });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const { stdout } = await runProgram(['status'], { cwd: workspace });
  const [answer = ''] = named(stdout).filter((command) => command.includes(' answer '));
  expect(answer).toMatch(/^ralph-tui answer plan approve --session \d{6}-\d{6}$/);
  expect(await typed(answer, workspace)).toMatchObject({ code: 0 });
});

test('a terminal whose PATH lacks the program gets the alias with which printed commands work', async () => {
  const cwd = workspaceWith({});
  const lacking = openScreen(['status'], { cwd, columns: 200 });
  await lacking.exit;
  const [, alias = ''] =
    /is not on your PATH\. To define it in this shell: {2}(alias .*)/.exec(lacking.text()) ?? [];
  expect(await typed(`${alias}\nralph-tui --version`, cwd, process.env['PATH'] ?? '')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });

  const found = openScreen(['status'], { cwd, columns: 200, env: { PATH: pathWithProgram() } });
  await found.exit;
  expect(found.text()).toContain('ralph-tui');
  expect(found.text()).not.toContain('PATH');
  // A script reads no hint.
  expect((await runProgram(['status'], { cwd })).stderr).not.toContain('PATH');
});
