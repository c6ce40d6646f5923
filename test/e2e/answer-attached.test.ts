import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configFor, createAskingAgent } from '../helpers/asking-agent.ts';
import { leaveRunning } from '../helpers/leave-running.ts';
import { cleanEnvironment } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** A session whose agent waits for a permission, its host left without a terminal, and the folder in which it listens. */
const left = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const agent = createAskingAgent();
  const state = tempDir();
  const config = configFor(agent, settings);
  const env = { XDG_CONFIG_HOME: config, XDG_STATE_HOME: state };
  const workspace = workspaceWith({
    'plan.yaml': `goal: Make it\ntasks:\n  - {id: make, title: Make, files: [made.txt], verify: ['test -f made.txt']}\n`,
  });
  const open = (...args: readonly string[]): TestTerminal => {
    const terminal = openTerminal(args, { cwd: workspace, columns: 120, rows: 36, env });
    onTestFinished(() => terminal.kill('SIGKILL'));
    return terminal;
  };
  const first = open('run', '--plan', 'plan.yaml');
  await first.waitFor('Needs you (1)');
  const host = first.pid;
  onTestFinished(() => {
    try {
      process.kill(host, 'SIGTERM');
    } catch {
      // It has ended.
    }
  });
  expect(await leaveRunning(first)).toBe(0);
  const folder = join(state, 'ralph-tui', 'answers');
  return { workspace, open, folder, env };
};

test('a permission that waits in a session without a screen is answered on an attached one, once, and the journal names who did', async () => {
  const { workspace, open, folder } = await left();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  const [one, two] = [open('attach'), open('attach')];
  for (const screen of [one, two]) {
    await screen.waitFor(/attached[\s\S]*Needs you \(1\)|Needs you \(1\)[\s\S]*attached/);
    screen.press('u');
    await screen.waitFor('touch made.txt');
  }
  const { pid } = one;
  one.press('1');
  await one.waitFor('allowed once');
  await two.waitFor((screen) => !screen.includes('Command  touch made.txt'));
  expect(sessionText(workspace, 'journal.jsonl')).toMatch(
    new RegExp(`"type":"permission.answered"[^\\n]*"by":"[^"]+ \\(attached screen, process ${pid}\\)"`),
  );
  await expect.poll(() => existsSync(join(workspace, 'made.txt'))).toBe(true);
  expect(sessionText(workspace, 'journal.jsonl').split('"type":"permission.answered"')).toHaveLength(2);
  // Nothing of the conversation stays behind.
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a command in a terminal answers a permission once its person confirms the whole question there', async () => {
  const { workspace, open } = await left();
  const [request = ''] = /permission:Executor-\d+:1/.exec(sessionText(workspace, 'journal.jsonl')) ?? [];
  const command = open('answer', request, 'once');
  await command.waitFor('[y/n]');
  expect(command.screen()).toContain('touch made.txt');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  command.type('y');
  command.press('enter');
  expect(await command.exit).toBe(0);
  await expect.poll(() => existsSync(join(workspace, 'made.txt'))).toBe(true);
});

test('with `permissions.unattended: refuse` a request ends with the last screen, and says why', async () => {
  const { workspace } = await left({ 'permissions.unattended': 'refuse' });
  await expect
    .poll(() => sessionText(workspace, 'journal.jsonl'))
    .toMatch(/"type":"permission.answered"[^\n]*"decision":"no"[^\n]*permissions.unattended: refuse/);
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
});

/** What the host replies to a process that holds the proof, or a file beside it, and says that it is `pid`. */
const speaker = `
const [socket, claimed, holds] = process.argv.slice(2);
const line = require('node:net').connect(socket);
let text = '';
line.setEncoding('utf8');
line.on('data', (piece) => {
  text += piece;
  const lines = text.split('\\n').filter(Boolean).map((each) => JSON.parse(each));
  if (lines.length === 2) { console.log(lines[1].refusal); process.exit(); }
  if (holds === 'yes') require('node:fs').openSync(lines[0].proof, 'wx', 0o600);
  line.write(JSON.stringify({ type: 'permit', pid: Number(claimed) || process.pid, request: 'permission:Executor-2:1', decision: 'once' }) + '\\n');
});
`;

test('the host takes no answer from a process without a terminal, of an agent, with a borrowed pid, or in no known form', async () => {
  const { workspace, folder, env, open } = await left();
  const [socket = ''] = readdirSync(folder).map((name) => join(folder, name));
  const script = join(tempDir(), 'speaker.cjs');
  writeFileSync(script, speaker);
  const speak = (claimed: string, holds: string, marker: Readonly<Record<string, string>> = {}): string =>
    // `script` gives a terminal; `setsid` takes it.
    execFileSync(
      'script',
      ['-qec', `'${process.execPath}' '${script}' '${socket}' ${claimed} ${holds}`, '/dev/null'],
      { env: cleanEnvironment({ ...env, ...marker }), encoding: 'utf8' },
    );
  const bare = execFileSync('setsid', ['-w', process.execPath, script, socket, 'own', 'yes'], {
    env: cleanEnvironment(env),
    encoding: 'utf8',
  });
  expect(bare).toMatch(/not accepted: process \d+ has no terminal/);
  expect(speak('own', 'yes', { RALPH_RUN: 'a/run' })).toMatch(/not accepted: .* was started by an agent/);
  expect(speak('own', 'no')).toMatch(/not accepted: .* is not the one that is connected/);
  const screen = open('attach');
  await screen.waitFor('Needs you (1)');
  expect(speak(String(screen.pid), 'yes')).toMatch(/not accepted: .* is not the one that is connected/);
  const reply = await new Promise<string>((resolve) => {
    const line = connect(socket);
    let text = '';
    line.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    line.on('close', () => resolve(text.split('\n')[1] ?? ''));
    line.write('{"type":"permit","request":"permission:Executor-2:1"}\n');
  });
  expect(reply).toBe('{"refusal":"this is not an answer"}');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  expect(sessionText(workspace, 'journal.jsonl')).not.toContain('permission.answered');
});
