import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  cleanEnvironment,
  programFile,
  runJson,
  runProgram,
  startProgram,
  startSession,
} from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { diamondPlan, onlySession, workspaceWith } from '../helpers/workspace.ts';

const run = promisify(execFile);

/** Everything at and below a directory with its permission bits. */
const modesIn = (root: string): readonly { readonly path: string; readonly mode: string }[] =>
  [
    root,
    ...readdirSync(root, { withFileTypes: true, recursive: true }).map((entry) =>
      join(entry.parentPath, entry.name),
    ),
  ].map((path) => ({ path, mode: (statSync(path).mode & 0o777).toString(8) }));

/** What the program in the background still writes behind its last event has other names for a moment. */
const hostIsGone = async (workspace: string): Promise<void> => {
  while (z.object({ host: z.unknown() }).parse(await runJson(['status'], { cwd: workspace })).host !== null);
};

const short = `goal: One
settings: {knowledge: {approval_timeout: 0s}}
tasks: [{id: one, title: One, files: [one.txt], run: [echo one > one.txt]}]
`;

test('everything we create is for its owner alone, whatever the umask says', async () => {
  const workspace = workspaceWith({
    'plan.yaml': diamondPlan,
  });
  const home = tempDir();
  const state = join(home, 'state');
  const env = {
    ...cleanEnvironment({ XDG_STATE_HOME: state, XDG_CACHE_HOME: join(home, 'cache'), HOME: home }),
    NODE_COMPILE_CACHE: '',
  };
  const ralph = (...args: readonly string[]) =>
    run('/bin/sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, programFile, ...args], {
      cwd: workspace,
      env,
    });
  await ralph('run', '--plan', 'plan.yaml', '--yes', '--background');
  const watching = startProgram(['attach', '--json'], { cwd: workspace, env: { XDG_STATE_HOME: state } });
  await ralph('signal', 'INFO', 'hello');
  await ralph('signal', 'STEER', 'keep it short', '--target', 'Librarian');
  await watching.waitFor('"gate.opened"');
  await ralph('approve');
  expect((await watching.done).code).toBe(0);
  await hostIsGone(workspace);
  const session = onlySession(workspace);
  const found = [
    ...modesIn(join(workspace, '.ralph-sessions')),
    ...(existsSync(join(workspace, '.docs')) ? modesIn(join(workspace, '.docs')) : []),
    ...modesIn(join(state, 'ralph-tui')),
  ];
  expect(found.length).toBeGreaterThan(40);
  expect(found.some(({ path }) => path === join(session, 'host.log'))).toBe(true);
  expect(found.some(({ path }) => path.includes('/processed/'))).toBe(true);
  expect(found.filter(({ path, mode }) => mode !== (statSync(path).isDirectory() ? '700' : '600'))).toEqual(
    [],
  );
  // Compiled code is code that will be run: nobody else gets even to its directory.
  expect((statSync(join(home, 'cache/ralph-tui')).mode & 0o777).toString(8)).toBe('700');
});

test.each([
  ['.ralph-sessions', 0o777],
  ['.ralph-sessions', 0o770],
])('%s that others may write to (%o) is refused before anything runs', async (name, mode) => {
  const workspace = workspaceWith({ 'plan.yaml': short });
  mkdirSync(join(workspace, name));
  chmodSync(join(workspace, name), mode);
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/\.ralph-sessions: others can write to this directory; run chmod go-w/);
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false);
  expect(readdirSync(join(workspace, name))).toEqual([]);
});

test.each([[''], ['signals'], ['signals/inputs']])(
  'a session whose directory "%s" others may write to is not resumed',
  async (part) => {
    const workspace = workspaceWith({
      'plan.yaml': short
        .replace('run: [', 'run: [test -e go, ')
        .replace('{knowledge', '{retries: {max_attempts: 1}, knowledge'),
    });
    expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(1);
    chmodSync(join(onlySession(workspace), part), 0o770);
    const result = await runProgram(['resume'], { cwd: workspace });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/others can write to this directory; run chmod go-w/);
  },
);

test('sessions that would lie behind a link of the repository are refused, and nothing is made there', async () => {
  const elsewhere = tempDir();
  const workspace = workspaceWith({ 'plan.yaml': short });
  symlinkSync(elsewhere, join(workspace, '.ralph-sessions'));
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/there is a symbolic link in place of this directory/);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a report or a lesson is not written through a link that a command put in its way', async () => {
  const elsewhere = tempDir();
  const workspace = workspaceWith({
    'plan.yaml': `goal: Links
settings: {knowledge: {approval_timeout: 0s}, retries: {max_attempts: 1, backoff: [0s]}}
tasks:
  - id: links
    title: Links
    files: [one.txt]
    run:
      - echo one > one.txt
      - cd .ralph-sessions/$RALPH_SESSION/iterations/1 && mv reports old && ln -s ${elsewhere} reports && rm -r knowledge && ln -s ${elsewhere} knowledge
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(result.stdout).toMatch(/is a symbolic link/);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('what was learned is not promoted through a link out of the workspace', async () => {
  const elsewhere = tempDir();
  const workspace = workspaceWith({ 'plan.yaml': short.replace('0s', '1h') });
  symlinkSync(elsewhere, join(workspace, '.docs'));
  const running = startSession(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  await running.waitFor('"gate.opened"');
  expect((await runProgram(['approve'], { cwd: workspace })).code).toBe(0);
  await running.waitFor(/\.docs is a symbolic link/);
  running.kill('SIGTERM');
  await running.done;
  expect(readdirSync(elsewhere)).toEqual([]);
});
