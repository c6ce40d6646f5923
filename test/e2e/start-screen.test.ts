import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { openScreen, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

/** What screens remember, apart from what other tests' screens do. */
const memoryIn = (workspace: string) => ({ XDG_STATE_HOME: join(workspace, 'state') });

const open = (
  workspace: string,
  env: Readonly<Record<string, string>> = memoryIn(workspace),
): TestTerminal => {
  const terminal = openScreen([], { cwd: workspace, columns: 120, rows: 36, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

test('without a session the start screen offers what is here, and what is chosen runs in the same screen after it was shown', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan, 'plan.json': '{"goal": 1}' });
  const terminal = open(workspace);
  const start = await terminal.waitFor('Esc quit');
  expect(start).toContain('Start a session');
  expect(start).toMatch(/plan\.yaml +Wait for the test/);
  expect(start).toContain('plan.json');
  expect(start).toMatch(/Install an agent +.*Codex/);
  terminal.type('make it nicer');
  await terminal.waitFor('make it nicer');
  terminal.press('enter');
  await terminal.waitFor('No agent here takes a goal');
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
  terminal.press('y');
  await terminal.waitFor(/│ +waiting for first/);
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  await ask(['skip'], { cwd: workspace });
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 2 of 2 done/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('Esc on the start screen leaves, and nothing was written', async () => {
  const workspace = workspaceWith({ 'package.json': '{"scripts": {"test": "node --test"}}' });
  const terminal = open(workspace);
  await terminal.waitFor(/This repository's checks[\s\S]*Esc quit/);
  terminal.press('escape');
  expect(await terminal.exit).toBe(0);
  expect(terminal.isAlternate()).toBe(false);
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test.each([
  ['Esc', 'escape'],
  ['ctrl-c', 'ctrl-c'],
])('a goal that was typed is there again after %s, however fast it was pressed', async (_, key) => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = open(workspace);
  await first.waitFor('Esc quit');
  first.type('mend the');
  await first.waitFor('mend the');
  first.type(' gate');
  first.press(key);
  expect(await first.exit).toBe(0);
  expect(first.text()).toContain('is kept: `ralph-tui` shows it again');
  const second = open(workspace);
  await second.waitFor('mend the gate');
  second.press('ctrl-u');
  await second.waitFor((screen) => !screen.includes('mend the gate'));
  second.press('escape');
  expect(await second.exit).toBe(0);
  const third = open(workspace);
  await third.waitFor('Esc quit');
  expect(third.screen()).not.toContain('mend the gate');
});

test('S turns to another session without quitting, and what this screen hosts goes on meanwhile', async () => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    'short.yaml': 'goal: Short\ntasks: [{title: One, run: [echo one]}]\n',
  });
  expect((await runProgram(['run', '--plan', 'short.yaml'], { cwd: workspace })).code).toBe(0);
  const terminal = open(workspace);
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  terminal.press('ctrl-n');
  await terminal.waitFor(/Start a session[\s\S]*Esc close/);
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  await terminal.waitFor(/│ +waiting for first/);
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    host: { alive: true, pid: terminal.pid },
  });
  terminal.press('q');
  await terminal.waitFor(/Pause and leave +\d{6}-\d{6}, run by this program, is paused until/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Leave?'));
  release(workspace, 'first');
  terminal.press('S');
  // It begins at the one that is shown.
  await terminal.waitFor(/Sessions: 2[\s\S]*▌\d{6}-\d{6} {2}completed 1\/1 · shown now[\s\S]*Esc close/);
  terminal.press('up');
  terminal.press('enter');
  await terminal.waitFor('waiting for second');
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  terminal.press('q');
  await terminal.waitFor(/Leave\?[\s\S]*Esc stay/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test('a session this screen hosts stays in the picker when one turned to a session of another workspace, and goes on when it is left running', async () => {
  const other = workspaceWith({ 'plan.yaml': 'goal: Other\ntasks: [{title: One, run: [echo one]}]\n' });
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const env = memoryIn(workspace);
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: other })).code).toBe(0);
  const before = open(other, env);
  await before.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  before.press('q');
  expect(await before.exit).toBe(0);
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/│ +waiting for first/);
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/^ Other[\s\S]*─ Complete ─[\s\S]*│ 1 of 1 done/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('prints the report'));
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*in progress[\s\S]*Esc close/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Sessions: 2'));
  terminal.press('q');
  await terminal.waitFor(/Leave it running +\d{6}-\d{6}, run by this program, continues/);
  terminal.press('up');
  await terminal.waitFor('▌Leave it running');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toContain('continues in the background');
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'in_progress',
    host: { alive: true, pid: terminal.pid },
  });
  release(workspace, 'first');
  release(workspace, 'second');
  const again = open(workspace, env);
  await again.waitFor(/Waiting for you/);
  await ask(['skip'], { cwd: workspace });
  await again.waitFor(/─ Complete ─[\s\S]*│ 2 of 2 done/);
  again.press('q');
  expect(await again.exit).toBe(0);
});

test('the picker knows the other workspaces a screen has shown', async () => {
  const other = workspaceWith({ 'plan.yaml': 'goal: Other\ntasks: [{title: One, run: [echo one]}]\n' });
  const workspace = workspaceWith({ 'plan.yaml': 'goal: Here\ntasks: [{title: One, run: [echo one]}]\n' });
  const env = memoryIn(workspace);
  for (const place of [other, workspace])
    expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: place })).code).toBe(0);
  const before = open(other, env);
  await before.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  before.press('q');
  expect(await before.exit).toBe(0);
  const terminal = open(workspace, env);
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2/);
  await terminal.waitFor(other);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/^ Other/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('what a screen begins and resumes runs in a process of its own where `host: background` says so', async () => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    '.ralph/config.yaml': 'host: background\n',
  });
  const env = memoryIn(workspace);
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/attached[\s\S]*│ +waiting for first/);
  const first = await hostOf(workspace);
  expect(first).not.toBe(terminal.pid);
  // The window is closed: nothing of the work depends on it.
  terminal.close();
  await terminal.exit;
  expect(await hostOf(workspace)).toBe(first);
  process.kill(first, 'SIGTERM');
  const again = open(workspace, env);
  await again.waitFor(/Stopped[\s\S]*R resume/);
  again.press('R');
  await again.waitFor(/attached[\s\S]*attempt 2[\s\S]*│ +waiting for first/);
  const second = await hostOf(workspace);
  expect([first, again.pid]).not.toContain(second);
  again.press('q');
  await again.waitFor('▌Leave it running');
  again.press('enter');
  expect(await again.exit).toBe(0);
  expect(again.screen()).toContain('continues without this screen');
  expect(await hostOf(workspace)).toBe(second);
  await ask(['signal', 'ABORT'], { cwd: workspace });
  const last = open(workspace, env);
  await last.waitFor('Aborted');
});

test('aborting the session on the screen only pauses the other one this program hosts, and each is told of on the way out', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const env = memoryIn(workspace);
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/│ +waiting for first/);
  const [unseen] = idsOf(await ask(['sessions'], { cwd: workspace }));
  terminal.press('ctrl-n');
  await terminal.waitFor(/Start a session[\s\S]*Esc close/);
  terminal.press('enter');
  await terminal.waitFor('Start another session here?');
  terminal.press('enter');
  await terminal.waitFor((screen) => !screen.includes('Start a session') && /waiting for first/.test(screen));
  await terminal.waitFor((screen) => !screen.includes(`${unseen} `));
  terminal.press('q');
  await terminal.waitFor(new RegExp(`Abort the session[\\s\\S]*${unseen}[\\s\\S]*only paused`));
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor('Type ABORT');
  terminal.type('ABORT');
  await terminal.waitFor('Enter abort');
  terminal.press('enter');
  expect(await terminal.exit).toBe(130);
  const said = terminal.screen();
  expect(said).toMatch(new RegExp(`Session ${unseen}: paused`));
  expect(said).toMatch(/Session \d{6}-\d{6}: aborted/);
  const [shown] = idsOf(await ask(['sessions'], { cwd: workspace })).filter((id) => id !== unseen);
  const statusOf = (id: string | undefined) => ask(['status', '--session', id ?? ''], { cwd: workspace });
  expect(await statusOf(unseen)).toMatchObject({ status: 'paused', host: null });
  expect(await statusOf(shown)).toMatchObject({ status: 'aborted', host: null });
});

test('a plan that was mended in an editor meanwhile is read again on Enter', async () => {
  const workspace = workspaceWith({ 'plan.yaml': 'goal: 1\ntasks: [{title: One}]\n' });
  const terminal = open(workspace);
  await terminal.waitFor('Esc quit');
  await terminal.waitFor('Enter read it again');
  terminal.press('enter');
  await terminal.waitFor((screen) => /goal/.test(screen.split('\n').at(-1) ?? ''));
  writeIn(workspace, 'plan.yaml', waitingPlan);
  terminal.press('enter');
  await terminal.waitFor(/▌plan\.yaml +Wait for the test[\s\S]*Checked again: the plan can be started/);
  terminal.press('escape');
  expect(await terminal.exit).toBe(0);
});

test('R at the end of a complete session is not advertised, says that there is nothing to resume, and starts nothing', async () => {
  const workspace = workspaceWith({ 'plan.yaml': 'goal: Short\ntasks: [{title: One, run: [echo one]}]\n' });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  const terminal = open(workspace);
  const end = await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done[\s\S]*ctrl-n new/);
  expect(end).not.toContain('R resume');
  terminal.press('R');
  await terminal.waitFor('Nothing to resume');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toMatch(/Session \d{6}-\d{6}: completed; 1 of 1 tasks? done/);
  expect(terminal.screen()).not.toContain('resume');
});

const hostOf = async (workspace: string): Promise<number> => {
  const status = statusSchema.parse(await ask(['status'], { cwd: workspace }));
  return status.host?.pid ?? 0;
};
const statusSchema = z.object({ host: z.object({ pid: z.number() }).nullable() });
const idsOf = (rows: unknown): readonly string[] =>
  z
    .array(z.object({ session_id: z.string() }))
    .parse(rows)
    .map((row) => row.session_id);
