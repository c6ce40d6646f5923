import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { openScreen } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const project = {
  'package.json': JSON.stringify({
    name: 'sample',
    scripts: { lint: 'echo linted > lint.txt', test: 'cat lint.txt && echo tested > test.txt' },
  }),
};

test('without a plan and without a terminal the discovered graph needs --yes: exit 3 naming the flag', async () => {
  const workspace = workspaceWith(project);
  const result = await runProgram(['run'], { cwd: workspace, asked: true });
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('--yes');
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test('with --yes the repository runs its own checks in order', async () => {
  const workspace = workspaceWith(project);
  const result = await runProgram(['run', '--yes', '--json'], { cwd: workspace });
  expect(result.stdout.trimEnd().split('\n').at(-1)).toContain('"exit_code":0');
  expect(readFileSync(join(workspace, 'test.txt'), 'utf8')).toBe('tested\n');
});

test('a repository that offers nothing is told so', async () => {
  const result = await runProgram(['run', '--yes'], { cwd: workspaceWith({ 'README.txt': 'hello' }) });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/this repository has no known checks/);
});

test('on a terminal the graph is shown first, and no means that nothing is written', async () => {
  const workspace = workspaceWith(project);
  const terminal = openScreen(['run'], { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/npm run lint[\s\S]*npm (run )?test[\s\S]*Trust and run this\? \[y\/N\]/);
  terminal.type('n\r');
  expect(await terminal.exit).toBe(0);
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test('after a yes the screen opens on the session', async () => {
  const workspace = workspaceWith(project);
  const terminal = openScreen(['run'], { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Trust and run this? [y/N]');
  terminal.type('y\r');
  await terminal.waitFor(/Waiting for you|Complete:/);
  expect(terminal.isAlternate()).toBe(true);
  expect(existsSync(join(workspace, 'test.txt'))).toBe(true);
});
