import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programFile, runProgram } from '../helpers/program.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** What somebody's shell may hold that has no business in a command of a plan. */
const shell = {
  LD_LIBRARY_PATH: '/nonexistent',
  GIT_SSH_COMMAND: 'touch owned',
  GIT_CONFIG_COUNT: '0',
  BASH_ENV: '/nonexistent',
  PYTHONPATH: '/nonexistent',
  AWS_SECRET_ACCESS_KEY: 'not-for-everybody',
  ANTHROPIC_API_KEY: 'not-for-everybody-either',
  RALPH_TASK: 'forged',
  LC_ALL: 'C.UTF-8',
  SSH_AUTH_SOCK: '/nonexistent/agent',
  https_proxy: 'http://proxy:3128',
};

/** What a shell sets by itself, and what a program that starts ours adds. */
const own = /^(?:PWD|OLDPWD|SHLVL|_)$/;

const namesIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(0, entry.indexOf('=')))
    .filter((name) => !own.test(name))
    .sort();

const inherited = [
  'HOME',
  'LANG',
  'LC_ALL',
  'PATH',
  'SSH_AUTH_SOCK',
  'TZ',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'https_proxy',
];
const ours = ['RALPH_ATTEMPT', 'RALPH_ITERATION', 'RALPH_RUN', 'RALPH_SESSION', 'RALPH_TASK'];

test('a command of a plan gets what the list names, what its plan says and what we promise, and nothing else', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Look around
settings: {knowledge: {approval_timeout: 0s}}
tasks:
  - id: look
    title: Look
    run: [{cmd: [cat, /proc/self/environ], env: {MODE: fast, RALPH: mine}}, 'cat /proc/self/environ > run.txt']
    verify: ['cat /proc/self/environ > verify.txt']
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace, env: shell });
  expect(result.code).toBe(0);
  for (const file of ['run.txt', 'verify.txt'])
    expect(namesIn(join(workspace, file))).toEqual(
      [...inherited, ...ours, ...(file === 'verify.txt' ? ['CI'] : []), 'RALPH_INFO', 'RALPH_STEER'].sort(),
    );
  expect(readFileSync(join(workspace, 'run.txt'), 'utf8')).toContain('\0RALPH_TASK=look\0');
});

test('a command agent gets the same, and of its own what its profile names', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': `agents:
  own:
    type: command
    command: [sh, -c, 'cat /proc/self/environ > agent.txt; echo "{}"']
    env: {MODE: fast}
    pass_env: [ANTHROPIC_API_KEY, GIT_SSH_COMMAND]
roles: {executor: own}
retries: {max_attempts: 1, backoff: [0s]}
`,
    'plan.yaml': 'goal: Look around\ntasks: [{id: look, title: Look, objective: Look around}]\n',
  });
  await runProgram(['run', '--plan', 'plan.yaml', '--permissions', 'all'], { cwd: workspace, env: shell });
  expect(namesIn(join(workspace, 'agent.txt'))).toEqual(
    [...inherited, ...ours, 'ANTHROPIC_API_KEY', 'MODE'].sort(),
  );
});

test.each(['LD_PRELOAD', 'NODE_OPTIONS', 'GIT_SSH_COMMAND', 'BASH_ENV', 'PYTHONPATH', 'RALPH_RUN'])(
  'a plan that sets %s is refused in one sentence, before it is asked about',
  async (name) => {
    const workspace = workspaceWith({
      'plan.yaml': `goal: x\ntasks: [{id: a, title: A, run: [{cmd: [echo], env: {${name}: x}}]}]\n`,
    });
    const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace, asked: true });
    expect(result.code).toBe(2);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(result.stderr).toMatch(
      new RegExp(`plan\\.yaml:2.*${name}.*must not be set by a plan, because it can make other commands run`),
    );
  },
);

test('an agent of the configuration that sets such a variable does not start', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml':
      'agents: {own: {type: command, command: [touch, owned], env: {LD_PRELOAD: ./x.so}}}\nroles: {executor: own}\nretries: {max_attempts: 1, backoff: [0s]}\n',
    'plan.yaml': 'goal: x\ntasks: [{id: a, title: A, objective: b}]\n',
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json', '--permissions', 'all'], {
    cwd: workspace,
  });
  expect(result).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('agents.own.env: must not set a variable that makes other programs run'),
  });
  expect(() => readFileSync(join(workspace, 'owned'))).toThrow();
});

const isRoot = process.getuid?.() === 0;
/** Nobody in the passwd file. */
const stranger = 54_321;

test.runIf(isRoot)(
  'a user without HOME and without a name, as in a container, runs, reads and steers like any other',
  () => {
    const workspace = workspaceWith({
      'plan.yaml': 'goal: Be there\ntasks: [{id: one, title: One, files: [a], run: [touch a]}]\n',
    });
    chmodSync(workspace, 0o777);
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [programFile, ...args], {
        cwd: workspace,
        uid: stranger,
        gid: stranger,
        env: { PATH: process.env['PATH'] ?? '' },
        encoding: 'utf8',
      });
    expect(run('--version')).toMatchObject({ status: 0, stderr: '' });
    expect(run('run', '--plan', 'plan.yaml', '--yes')).toMatchObject({ status: 0 });
    expect(run('status').stdout).toContain('1 of 1 done');
    expect(run('signal', 'INFO', 'hello')).toMatchObject({ status: 0 });
    expect(run('signals', '--json').stdout).toContain(`uid-${stranger}@`);
  },
);
