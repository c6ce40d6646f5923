import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

const rowsOf = (value: unknown) =>
  z
    .array(
      z.strictObject({
        key: z.string(),
        value: z.unknown(),
        origin: z.string(),
        unit: z.string().nullable(),
        live: z.boolean(),
        description: z.string(),
      }),
    )
    .parse(value);

test('config show tells every value and the layer it comes from, the stronger layer winning', async () => {
  const workspace = workspaceWith({
    'home/ralph-tui/config.yaml': 'retries: {max_attempts: 5}\ncommit: true\n',
    '.ralph/config.yaml': '# ours\nretries:\n  max_attempts: 7\n',
  });
  const env = { XDG_CONFIG_HOME: join(workspace, 'home') };
  const rows = rowsOf(await runJson(['config'], { cwd: workspace, env }));
  const row = (key: string) => rows.find((each) => each.key === key);
  expect(row('retries.max_attempts')).toMatchObject({
    value: 7,
    origin: expect.stringMatching(/\.ralph\/config\.yaml:3$/),
  });
  expect(row('commit')).toMatchObject({
    value: true,
    origin: expect.stringContaining('ralph-tui/config.yaml:2'),
  });
  expect(row('concurrency.max_parallel_executors')).toMatchObject({ value: 3, origin: 'defaults' });
});

test('plan over workspace, command line over plan: the session runs with what won', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'permissions: edits\nretries: {max_attempts: 5}\n',
    'plan.yaml': `goal: x
settings: {permissions: workspace, retries: {max_attempts: 2, backoff: [0s]}}
tasks: [{id: bad, title: Bad, files: [a], run: [exit 1]}]
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--permissions', 'all', '--json'], {
    cwd: workspace,
  });
  const created = result.stdout
    .split('\n')
    .filter((line) => line.includes('"type":"session.created"'))
    .map((line) => JSON.parse(line))[0];
  expect(created).toMatchObject({ settings: { permissions: 'all', retries: { max_attempts: 2 } } });
  expect(result.stdout.match(/"type":"task\.started"/g)).toHaveLength(2);
  expect(result.code).toBe(1);
});

test('config check names file, line and key, and a run refuses with the same sentence', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'retries:\n  max_atempts: 3\npermissions: everything\n',
    'plan.yaml': 'goal: x\ntasks: [{title: One, run: [echo one]}]\n',
  });
  const check = await runProgram(['config', 'check'], { cwd: workspace });
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/config\.yaml:2.*max_atempts: did you mean .*max_attempts\?/);
  expect(check.stdout).toMatch(/config\.yaml:3.*permissions: must be one of ask, edits, workspace, all/);
  const run = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(run.stderr).toMatch(/config\.yaml:2/);
  expect(run.code).not.toBe(0);
  writeIn(workspace, '.ralph/config.yaml', '');
  expect((await runProgram(['config', 'check'], { cwd: workspace })).code).toBe(0);
});

test('a person’s instructions beside the session count when it is resumed', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: x
settings: {gates: [plan]}
tasks: [{id: one, title: One, files: [a], run: ['echo a > a']}]
`,
  });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const { session_id } = z
    .object({ session_id: z.string() })
    .parse(await runJson(['status'], { cwd: workspace }));
  writeIn(
    workspace,
    `.ralph-sessions/${session_id}.instructions.md`,
    '---\napplyTo: "**"\n---\n## Concurrency\n- max_parallel_executors: 1\n',
  );
  const result = await runProgram(['resume', '--json'], { cwd: workspace });
  expect(result.stdout).toMatch(/"type":"session\.started".*"max_parallel_executors":1/);
});

test('config show writes values as a file has them, durations with their unit', async () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': 'retries: {backoff: [0s, 90s, 5m]}\n' });
  const { stdout } = await runProgram(['config'], { cwd: workspace });
  expect(stdout).toMatch(/^retries\.backoff +\[0s, 90s, 5m\] /m);
  expect(stdout).toMatch(/^timeouts\.stall +5m /m);
  expect(stdout).toMatch(/^limits\.max_duration +none /m);
  expect(stdout).toMatch(/^ui\.theme +auto /m);
});

test('doctor names the agents of the configuration, whether they are there, and roles that nobody has', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml':
      'agents:\n  own: {type: command, command: [./agent, --quick]}\nroles: {executor: own}\n',
    agent: '#!/bin/sh\n',
  });
  chmodSync(join(workspace, 'agent'), 0o755);
  const row = async (name: string) => {
    const { stdout } = await runProgram(['doctor', '--json'], { cwd: workspace });
    return z
      .array(z.looseObject({ check: z.string() }))
      .parse(JSON.parse(stdout))
      .find(({ check }) => check === name);
  };
  expect(await row('agents')).toMatchObject({
    ok: true,
    found: expect.stringMatching(/^script \(runs the commands of plans\) · .*\bown$/),
  });
  expect(await row('agent own')).toMatchObject({
    ok: true,
    found: expect.stringMatching(/^\.\/agent, in \/.*; executor$/),
  });
  expect(await row('agent gemini')).toMatchObject({ ok: true, found: expect.stringContaining('Gemini CLI') });
  writeIn(workspace, '.ralph/config.yaml', 'agents: {own: {type: command, command: [./gone]}}\n');
  expect(await row('agent own')).toMatchObject({ ok: false, problem: './gone (agents.own) was not found' });
  writeIn(workspace, '.ralph/config.yaml', 'roles: {reviewer: own}\n');
  expect(await row('agents')).toMatchObject({
    ok: false,
    problem: 'roles.reviewer: own names an unknown agent',
  });
});

test('run --agent takes an agent of the configuration, and names the known ones for another', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'agents:\n  own: {type: command, command: [./agent]}\n',
  });
  const said = async (name: string) =>
    (await runProgram(['run', '--plan', 'plan.yaml', '--agent', name], { cwd: workspace })).stderr;
  expect(await said('own')).toMatch(/plan\.yaml: the plan does not exist/);
  expect(await said('other')).toMatch(
    /unknown agent "other"; known: script \(runs the commands of a plan\), .*, own/,
  );
  const wrote = async (config: string) => {
    writeIn(workspace, '.ralph/config.yaml', config);
    return said('own');
  };
  expect(await wrote('agents: {own: {type: command, command: ./agent}}\nroles: {executor: [own]}\n')).toMatch(
    /config\.yaml:2: .*roles\.executor/,
  );
  expect(await wrote('ui: {theme: auto}\nagents: {own: {type: command, command: ./agent}}\n')).toMatch(
    /config\.yaml:2: agents\.own\.command: /,
  );
});

const plugin = {
  version: '3.2.0',
  state: 'stopped',
  loop_limits: { min_hours: 4, max_hours: 9, max_iterations: 99 },
  completion: { confidence_threshold: 0.8, phrase: 'done' },
  guidance: {
    forbidden: ['Documentation updates'],
    encouraged: ['documentation updates', 'Speed'],
    timestamp: 'x',
  },
  skip_constraint_scan: true,
  constraint_discovery: {
    enabled_agents: ['env-scanner', 'config-discovery'],
    timeout_seconds: 15,
    aggregate_similar: false,
    agents: [{ agent_id: 'env-scanner', timeout_seconds: 5, enabled: true }],
  },
};

const pluginWorkspace = (config: unknown): string => {
  const cwd = tempDir();
  mkdirSync(join(cwd, '.claude'));
  writeFileSync(join(cwd, '.claude/ralph-config.json'), JSON.stringify(config));
  return cwd;
};

const importConfig = (cwd: string, ...args: readonly string[]) =>
  runProgram(['config', 'import', '.claude/ralph-config.json', ...args], { cwd });

describe('config import', () => {
  test('maps what has a counterpart, names the rest, and writes with a backup', async () => {
    const cwd = pluginWorkspace(plugin);
    mkdirSync(join(cwd, '.ralph'));
    const old = '# mine\nloop: {max_turns: 5} # few\n';
    writeFileSync(join(cwd, '.ralph/config.yaml'), old);
    const { code, stdout } = await importConfig(cwd, '--yes');
    expect(code).toBe(0);
    for (const line of [
      '  loop_limits.max_hours → loop.max_runtime: "9h"',
      '  guidance.forbidden → guidance forbidden: "Documentation updates"',
      '  loop_limits.min_hours: not imported: a loop has no minimum time here',
      '  completion.phrase: not imported: has no counterpart',
      '  skip_constraint_scan → discovery.enabled: false',
    ])
      expect(stdout).toContain(line);
    expect(readFileSync(join(cwd, '.ralph/config.yaml.bak'), 'utf8')).toBe(old);
    const text = readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8');
    expect(text).toContain('# mine');
    const shown = await runJson(['config', 'show'], { cwd });
    for (const [key, value] of Object.entries({
      'loop.max_turns': 99,
      'loop.max_runtime': 32_400_000,
      'loop.threshold': 0.8,
      'discovery.enabled': false,
      'discovery.timeout': 15_000,
      'discovery.aggregate_similar': false,
      'discovery.sources': { 'integration-points': { enabled: false }, 'env-scanner': { timeout: 5_000 } },
    }))
      expect(shown).toContainEqual(expect.objectContaining({ key, value }));
    expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
      forbidden: ['Documentation updates'],
      encouraged: ['Speed'],
      trusted: true,
    });
    expect((await runProgram(['config', 'check'], { cwd })).code).toBe(0);
  });

  test('writes nothing without a yes, of an unknown version, or over a configuration that is wrong', async () => {
    const cwd = pluginWorkspace({ ...plugin, version: '3.0.0' });
    expect((await importConfig(cwd)).code).toBe(3);
    expect(existsSync(join(cwd, '.ralph'))).toBe(false);
    expect((await importConfig(pluginWorkspace({ version: '4.0.0' }), '--yes')).code).toBe(2);
    mkdirSync(join(cwd, '.ralph'));
    writeFileSync(join(cwd, '.ralph/config.yaml'), 'nonsense: 1\n');
    expect((await importConfig(cwd, '--yes')).code).toBe(2);
    expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
  });
});
