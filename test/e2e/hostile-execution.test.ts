import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram, startProgram } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

/** Names that are commands or options to whoever is careless with them. */
const names = [
  '; rm -rf canary',
  '$(touch pwned)',
  '`touch pwned`',
  '-rf',
  '--output=pwned',
  '--exec=touch pwned',
  '| touch pwned',
  '%s%n',
  ':!canary',
];

const plan = JSON.stringify({
  goal: '$(touch pwned); rm -rf canary',
  tasks: [
    {
      id: 'evil',
      title: '-rf; $(touch pwned)',
      files: names,
      criteria: names,
      run: [['sh', 'make.sh', ...names]],
      verify: [['sh', '-c', 'test -e "$1"', 'sh', '; rm -rf canary']],
    },
  ],
});

test('`; rm -rf`, `$( )` and a leading dash in names of files, titles and messages run nothing, whatever reads, shows, edits or commits them', async () => {
  const workspace = workspaceWith({
    'plan.yaml': plan,
    canary: 'alive\n',
    'make.sh': 'for name; do echo "$name"; echo made > "./$name"; done\n',
    'editor.sh': '#!/bin/sh\nprintf "%s\\n" "$#" "$@" > edited.txt\n',
    '.ralph/config.yaml': 'commit: true\n',
  });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'begin');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  const env = { EDITOR: `sh ${join(workspace, 'editor.sh')}`, VISUAL: '' };
  const run = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace, env });
  onTestFinished(() => run.kill('SIGKILL'));
  expect(await run.done).toMatchObject({ code: 0 });
  expect(
    git('show', '--name-only', '--format=')
      .trim()
      .split('\n')
      .filter((name) => names.includes(name.replaceAll('"', '')))
      .sort(),
  ).toEqual([...names].sort());
  for (const args of [
    ['diff', 'evil'],
    ['report', 'evil'],
    ['logs', 'evil'],
    ['signal', 'INFO', '--', '-rf $(touch pwned)'],
    ['tasks', 'why', 'evil'],
  ])
    expect([args, (await runProgram(args, { cwd: workspace, env })).code]).toEqual([args, 0]);
  for (const args of [
    ['logs', '--', '-rf'],
    ['logs', '../../x'],
    ['diff', '$(touch pwned)'],
    ['report', '--', '--output=pwned'],
    ['retry', '; rm -rf canary'],
    ['replay', '../..'],
    ['attach', '-rf'],
  ]) {
    const { code, stderr } = await runProgram(args, { cwd: workspace, env });
    expect([args, code]).toEqual([args, expect.toSatisfy((exit) => exit === 1 || exit === 2)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  const screen = openTerminal(['attach'], { cwd: workspace, env, columns: 140, rows: 40 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('How it ended');
  screen.press('escape');
  await screen.waitFor(/^(?![\s\S]*How it ended)[\s\S]*evil/);
  screen.press('2');
  await screen.waitFor(
    (shown) => shown.includes('9 files, +9') && names.every((name) => shown.includes(name)),
  );
  screen.press('q');
  await screen.exit;
  expect(readFileSync(join(workspace, 'canary'), 'utf8')).toBe('alive\n');
  expect(existsSync(join(workspace, 'pwned'))).toBe(false);
  expect(readdirSync(workspace)).toEqual(expect.arrayContaining(names));
});

const agents: readonly {
  readonly what: string;
  readonly command: readonly string[];
  readonly says: string;
}[] = [
  { what: 'exit 0 without a result', command: ['true'], says: 'ended without result' },
  {
    what: 'answer with prose instead of the contract',
    command: ['echo', 'All done!'],
    says: 'ended without result',
  },
  {
    what: 'answer with JSON of another kind',
    command: ['echo', '{"status": "perfect"}'],
    says: 'ended without result',
  },
  { what: 'print half of an answer', command: ['printf', '{"status": "comp'], says: 'ended without result' },
];
const twoTasks = `goal: Two
tasks:
  - {id: bad, title: Bad, objective: Try, agent: own}
  - {id: good, title: Good, files: [good.txt], run: [echo good > good.txt]}
`;
const own = (command: readonly string[]): string =>
  `agents: {own: {type: command, command: ${JSON.stringify(command)}}}\nretries: {max_attempts: 1, backoff: [0s]}\n`;

test.each(agents)(
  'agents that $what are tried twice and then asked about; that is no success, and the other task is done',
  async ({ command, says }) => {
    const workspace = workspaceWith({ '.ralph/config.yaml': own(command), 'plan.yaml': twoTasks });
    const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
    expect(code).toBe(3);
    expect(stdout).toContain(`bad interrupted, attempt 1: ${says}`);
    expect(stdout).toMatch(/gate: own ended twice in a row without a result for bad. What now\?/);
    await runJson(['cancel', 'bad'], { cwd: workspace });
    await runProgram(['resume', '--headless'], { cwd: workspace });
    expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
      { id: 'bad', status: 'cancelled' },
      { id: 'good', status: 'done', attempt: 1 },
    ]);
  },
);

test('an agent that is not installed is refused in a sentence, before a session begins', async () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': own(['no-such-agent']), 'plan.yaml': twoTasks });
  const { code, stderr } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(code).toBe(2);
  expect(stderr).toMatch(/no-such-agent was not found; put `no-such-agent` on the PATH/);
  expect(await runJson(['sessions'], { cwd: workspace })).toEqual([]);
});

test('agents that print for ever are read without end of memory, steered meanwhile, and gone after an ABORT', async () => {
  const workspace = workspaceWith({
    'plan.yaml':
      'goal: x\nsettings: {timeouts: {abort_grace: 300ms}}\ntasks: [{id: chatty, title: Chatty, run: [yes it goes on]}]\n',
  });
  const screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('it goes on');
  screen.press('?');
  await screen.waitFor('Keys');
  screen.press('escape');
  await runJson(['signal', 'ABORT', 'enough'], { cwd: workspace });
  await screen.waitFor(/Aborted by .*Nothing was reverted/);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ status: 'aborted' });
});
