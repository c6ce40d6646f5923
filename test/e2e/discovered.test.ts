import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const project = {
  'package.json': JSON.stringify({
    name: 'sample',
    scripts: { lint: 'echo linted > lint.txt', test: 'cat lint.txt && echo tested > test.txt' },
  }),
};

test('without a plan and without a terminal the discovered graph needs --yes: exit 3 naming the flag', async () => {
  const workspace = workspaceWith(project);
  const result = await runProgram(['run'], { cwd: workspace });
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
  expect(result.stderr).toMatch(/offers no checks/);
});
