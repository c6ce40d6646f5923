import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** A Python project that `uv` would check, beside a package with a test of its own. */
const project = {
  'uv.lock': '',
  'pyproject.toml': '[tool.pytest.ini_options]\n',
  'package.json': JSON.stringify({ name: 'sample', scripts: { test: 'node --version' } }),
};
/** Only what the test puts there can be installed. */
const env = (workspace: string) => ({
  PATH: `${join(process.execPath, '..')}:/usr/bin:/bin:${workspace}/none`,
});

test('checks whose tool is not installed are left out and named, and the rest runs', async () => {
  const workspace = workspaceWith(project);
  const { code, stderr } = await runProgram(['run', '--yes', '--headless'], {
    cwd: workspace,
    env: env(workspace),
  });
  expect(stderr).toContain('python-test is skipped: uv is not installed');
  expect(code).toBe(0);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{ id: 'npm-test', status: 'done' }]);
});

test('where no check can run, run says what to install, and doctor does too', async () => {
  const { 'package.json': _package, ...python } = project;
  const workspace = workspaceWith(python);
  expect(await runProgram(['run', '--yes'], { cwd: workspace, env: env(workspace) })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('uv is not installed, but the checks of this repository need it'),
  });
  const { stdout } = await runProgram(['doctor'], { cwd: workspace, env: env(workspace) });
  expect(stdout.replace(/\s+/g, ' ')).toContain("this repository's checks need uv");
});

const plan = 'goal: Greet\ntasks: [{id: greet, title: Greet, files: [a], run: [touch a]}]\n';

test('run in a directory with a plan runs that plan, also the one that init wrote', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan, 'package.json': project['package.json'] });
  const { code, stderr } = await runProgram(['run', '--headless'], { cwd: workspace });
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('running the plan in this directory, plan.yaml'),
  ]);
  const empty = workspaceWith({});
  await runProgram(['init', '--plan'], { cwd: empty });
  expect((await runProgram(['run', '--headless'], { cwd: empty })).code).toBe(0);
});

test('of several plans one has to be named', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan, 'release.plan.yaml': plan });
  expect(await runProgram(['run'], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('several plans here: plan.yaml, release.plan.yaml'),
  });
});

test('an agent that is not installed is refused with how to install it, before a session begins', async () => {
  const own = {
    '.ralph/config.yaml': 'agents: {odd: {type: acp, command: [no-such-agent]}}\n',
    'plan.yaml': plan,
  };
  const run = async (...args: readonly string[]) => {
    const workspace = workspaceWith(own);
    const result = await runProgram(['run', ...args, '--permissions', 'edits', '--headless', '--yes'], {
      cwd: workspace,
      env: env(workspace),
    });
    return { ...result, sessions: existsSync(join(workspace, '.ralph-sessions')) };
  };
  const refused = (stderr: string) => ({ code: 2, stdout: '', stderr, sessions: false });
  const put = 'put `no-such-agent` on the PATH, or name its path in agents.odd.command';
  const ownWords = `ralph-tui: odd: odd is not installed: no-such-agent was not found; ${put}\n`;
  expect(await run('Try it', '--agent', 'odd')).toMatchObject(refused(ownWords));
  expect(await run('--plan', 'plan.yaml', '--agent', 'odd')).toMatchObject(refused(ownWords));
  expect(await run('Try it', '--agent', 'codex')).toMatchObject(
    refused(
      'ralph-tui: codex: Codex is not installed: codex-acp was not found; install it with `npm install -g @agentclientprotocol/codex-acp@2.6.0` (about 457 MB)\n',
    ),
  );
});

test('max_cost is refused before a session begins when the agent reports no cost', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'agents: {own: {type: command, command: [cat]}}\nlimits: {max_cost: 5}\n',
  });
  const run = await runProgram(
    ['run', 'Greet', '--agent', 'own', '--yes', '--permissions', 'all', '--json'],
    {
      cwd: workspace,
    },
  );
  expect(run.code).toBe(2);
  expect(JSON.parse(run.stdout)).toMatchObject({
    error: {
      code: 'cost-not-reported',
      message: expect.stringContaining('limits.max_cost cannot be applied to cat'),
      hint: 'use limits.max_duration or limits.max_attempts_total instead',
    },
  });
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});
