import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanEnvironment, programFile, runProgram, startSession } from '../helpers/program.ts';
import { commitAsKim, git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

const plan = `goal: Write a file
settings: {isolation: worktree}
tasks:
  - {id: one, title: One, files: [one.txt], run: ['echo one > one.txt'], verify: ['test -s one.txt']}
`;
const ignored = '.ralph-sessions/\nplan.yaml\ngo\n';

/** Types what the summary offers, in a shell at the top of the file system. */
const take = async (summary: string): Promise<string> => {
  const command = /to take the changes: (.*)$/m.exec(summary)?.[1];
  if (command === undefined) throw new Error(`no command takes the changes in\n${summary}`);
  const bin = tempDir();
  writeFileSync(join(bin, 'ralph-tui'), `#!/bin/sh\nexec "${process.execPath}" "${programFile}" "$@"\n`, {
    mode: 0o755,
  });
  const env = cleanEnvironment({ PATH: `${bin}:${process.env['PATH'] ?? ''}` });
  await promisify(execFile)('sh', ['-ec', command], { cwd: '/', env });
  return command;
};

const run = (cwd: string, ...more: readonly string[]) =>
  runProgram(['run', '--plan', 'plan.yaml', ...more], { cwd });

/** A session in which the person does something while its task works. */
const runWhile = async (workspace: string, more: readonly string[], during: () => void) => {
  const waiting = `until test -e "${workspace}/go"; do sleep 0.02; done; echo one > one.txt`;
  writeIn(workspace, 'plan.yaml', plan.replace('echo one > one.txt', waiting));
  const session = startSession(['run', '--plan', 'plan.yaml', ...more], { cwd: workspace });
  await session.waitFor(/one started/);
  during();
  writeIn(workspace, 'go', '');
  return session.done;
};

test('the printed command takes a kept branch into the branch of the start, from another one and a path with blanks', async () => {
  const workspace = join(tempDir(), 'my project', 'it’s');
  mkdirSync(workspace, { recursive: true });
  writeIn(workspace, '.gitignore', ignored);
  commitAsKim(workspace);
  const { stdout } = await runWhile(workspace, [], () => git(workspace, 'switch', '-q', '-c', 'other'));
  expect(await take(stdout)).toContain('git switch main && git merge');
  expect(git(workspace, 'show', 'main:one.txt')).toBe('one\n');
});

test('a start with another --at-end decides again about a kept branch, and a plain one does not', async () => {
  const workspace = repositoryWith({ 'plan.yaml': plan, '.gitignore': ignored });
  expect(await run(workspace)).toMatchObject({ code: 0 });
  await runProgram(['resume'], { cwd: workspace });
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false);
  const { code, stdout } = await runProgram(['resume', '--at-end', 'merge'], { cwd: workspace });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/merged into your branch$/m)]);
  expect(readFileSync(join(workspace, 'one.txt'), 'utf8')).toBe('one\n');
});

test('what was in the way of --at-end is named, and the next resume merges once it is gone', async () => {
  const workspace = repositoryWith({ 'plan.yaml': plan, '.gitignore': ignored });
  writeIn(workspace, 'one.txt', 'mine\n');
  const first = await run(workspace, '--at-end', 'squash');
  expect(first.code).toBe(1);
  expect(first.stdout).toContain('first commit, stash or move one.txt, which the changes would overwrite; ');
  git(workspace, 'stash', '-q', '-u');
  expect(await runProgram(['resume'], { cwd: workspace })).toMatchObject({ code: 0 });
  expect(git(workspace, 'show', 'HEAD:one.txt')).toBe('one\n');
});

test('a commit that was dropped meanwhile stays away, and the printed command takes only the work', async () => {
  const workspace = repositoryWith({ 'plan.yaml': plan, '.gitignore': ignored });
  writeIn(workspace, 'secret.txt', 'secret\n');
  git(workspace, 'add', 'secret.txt');
  git(workspace, 'commit', '-qm', 'oops');
  const { code, stdout } = await runWhile(workspace, ['--at-end', 'merge'], () =>
    git(workspace, 'reset', '-q', '--hard', 'HEAD~1'),
  );
  expect(code).toBe(1);
  expect(stdout).toMatch(/main no longer has [0-9a-f]+ oops, which it had when the session began/);
  expect(await take(stdout)).toContain('--at-end squash');
  expect(git(workspace, 'ls-tree', '--name-only', 'HEAD')).toBe('.gitignore\none.txt\n');
});

test('worktrees are made where the state of this program is reached through a link', async () => {
  const workspace = repositoryWith({ 'plan.yaml': plan, '.gitignore': ignored });
  const place = tempDir();
  // What the link leads to does not exist yet.
  symlinkSync(join(place, 'disk/state'), join(place, 'state'));
  const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml', '--at-end', 'merge'], {
    cwd: workspace,
    env: { XDG_STATE_HOME: join(place, 'state') },
  });
  expect(code, stdout).toBe(0);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(true);
  expect(existsSync(join(dirname(place), 'state'))).toBe(false);
});
