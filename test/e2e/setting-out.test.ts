import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** What screens remember, apart from what other tests' screens do. */
const memoryIn = (workspace: string) => ({ XDG_STATE_HOME: join(workspace, 'state') });

const open = (
  workspace: string,
  env: Readonly<Record<string, string>> = memoryIn(workspace),
): TestTerminal => {
  const terminal = openTerminal([], { cwd: workspace, columns: 120, rows: 36, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

test('without a session the start screen offers what is here, and what is chosen runs in the same screen after it was shown', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan, 'plan.json': '{"goal": 1}' });
  const terminal = open(workspace);
  const start = await terminal.waitFor('Esc quit');
  expect(start).toContain('Start a session');
  expect(start).toMatch(/plan\.yaml {2}Wait for the test/);
  expect(start).toContain('plan.json');
  expect(start).toContain('script: runs the commands of plans');
  terminal.type('a goal in words');
  await terminal.waitFor('a goal in words');
  terminal.press('enter');
  await terminal.waitFor('No agent here can take a goal yet');
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
  expect((await runProgram(['skip'], { cwd: workspace })).code).toBe(0);
  await terminal.waitFor('Complete · 2 of 2 done');
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

test('S turns to another session without quitting, and what this screen hosts goes on meanwhile', async () => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    'short.yaml': 'goal: Short\ntasks: [{title: One, run: [echo one]}]\n',
  });
  expect((await runProgram(['run', '--plan', 'short.yaml'], { cwd: workspace })).code).toBe(0);
  const terminal = open(workspace);
  await terminal.waitFor('Complete · 1 of 1 done');
  terminal.press('ctrl-n');
  await terminal.waitFor(/Start a session[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  await terminal.waitFor(/│ +waiting for first/);
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor('Complete · 1 of 1 done');
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    host: { alive: true, pid: terminal.pid },
  });
  terminal.press('q');
  await terminal.waitFor(/Pause and leave +\d{6}-\d{6}, run by this program, stops until a resume/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Leave?'));
  release(workspace, 'first');
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('enter');
  await terminal.waitFor('waiting for second');
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*Esc close/);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor('Complete · 1 of 1 done');
  terminal.press('q');
  await terminal.waitFor(/Leave\?[\s\S]*Esc stay/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test('a session this screen hosts stays in the picker when one turned to a session of another workspace, and goes on when it is left running', async () => {
  const other = workspaceWith({ 'plan.yaml': 'goal: Other\ntasks: [{title: One, run: [echo one]}]\n' });
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const env = memoryIn(workspace);
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: other })).code).toBe(0);
  const before = open(other, env);
  await before.waitFor('Complete · 1 of 1 done');
  before.press('q');
  expect(await before.exit).toBe(0);
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
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
  await terminal.waitFor(/· Other[\s\S]*Complete · 1 of 1 done/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('How it ended'));
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2[\s\S]*in progress[\s\S]*Esc close/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Sessions: 2'));
  terminal.press('q');
  await terminal.waitFor(/Leave it running +\d{6}-\d{6}, run by this program, goes on/);
  terminal.press('up');
  await terminal.waitFor('▌Leave it running');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toContain('goes on in the background');
  const status = await runJson(['status'], { cwd: workspace });
  expect(status).toMatchObject({ status: 'in_progress', host: { alive: true } });
  expect(status).not.toMatchObject({ host: { pid: terminal.pid } });
  release(workspace, 'first');
  release(workspace, 'second');
  const again = open(workspace, env);
  await again.waitFor(/Waiting for you/);
  expect((await runProgram(['skip'], { cwd: workspace })).code).toBe(0);
  await again.waitFor('Complete · 2 of 2 done');
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
  await before.waitFor('Complete · 1 of 1 done');
  before.press('q');
  expect(await before.exit).toBe(0);
  const terminal = open(workspace, env);
  await terminal.waitFor('Complete · 1 of 1 done');
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2/);
  await terminal.waitFor(other);
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/· Other/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});
