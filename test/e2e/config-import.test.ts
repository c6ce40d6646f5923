import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

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

const workspaceWith = (config: unknown): string => {
  const cwd = tempDir();
  mkdirSync(join(cwd, '.claude'));
  writeFileSync(join(cwd, '.claude/ralph-config.json'), JSON.stringify(config));
  return cwd;
};

const run = (cwd: string, ...args: readonly string[]) =>
  runProgram(['config', 'import', '.claude/ralph-config.json', ...args], { cwd });

describe('config import', () => {
  test('maps what has a counterpart, names the rest, and writes with a backup', async () => {
    const cwd = workspaceWith(plugin);
    mkdirSync(join(cwd, '.ralph'));
    const old = '# mine\nloop: {max_turns: 5} # few\n';
    writeFileSync(join(cwd, '.ralph/config.yaml'), old);
    const { code, stdout } = await run(cwd, '--yes');
    expect(code).toBe(0);
    for (const line of [
      '  loop_limits.max_hours → loop.max_runtime: "9h"',
      '  guidance.forbidden → guidance forbidden: "Documentation updates"',
      '  loop_limits.min_hours: left out, a loop has no minimum time here',
      '  completion.phrase: left out, has no counterpart',
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
    const cwd = workspaceWith({ ...plugin, version: '3.0.0' });
    expect((await run(cwd)).code).toBe(3);
    expect(existsSync(join(cwd, '.ralph'))).toBe(false);
    expect((await run(workspaceWith({ version: '4.0.0' }), '--yes')).code).toBe(2);
    mkdirSync(join(cwd, '.ralph'));
    writeFileSync(join(cwd, '.ralph/config.yaml'), 'nonsense: 1\n');
    expect((await run(cwd, '--yes')).code).toBe(2);
    expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
  });
});
