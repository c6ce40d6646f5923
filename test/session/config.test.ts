import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { formatFault } from '../../src/base/fault.ts';
import { readLayers, userConfigFile, workspaceConfigFile } from '../../src/session/config.io.ts';
import {
  commandLineLayer,
  formatOrigin,
  type Layer,
  parseConfig,
  planLayer,
  resolveSettings,
  situationDefaults,
} from '../../src/session/config.ts';
import { parseInstructions } from '../../src/session/instructions.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import {
  liveSettingProblem,
  liveSettings,
  readLiveSetting,
  withSet,
} from '../../src/session/settings/live-settings.ts';
import { settingKeys } from '../../src/session/settings/partial-settings.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const layer = (text: string, name: 'user' | 'workspace' = 'workspace'): Layer => {
  const checked = parseConfig(text, `${name}.yaml`, name);
  if (!checked.ok) throw new Error(checked.faults.map(formatFault).join('\n'));
  return checked.value;
};

const faultsOf = (text: string): readonly string[] => {
  const checked = parseConfig(text, 'config.yaml', 'workspace');
  return checked.ok ? [] : checked.faults.map(formatFault);
};

describe('settings in layers', () => {
  it('take each key from the strongest layer that has it, and know where it came from', () => {
    const plan = planLayer('goal: x\nsettings:\n  retries:\n    max_attempts: 5\n', 'plan.yaml');
    const line = commandLineLayer({ 'retries.backoff': ['1s'], permissions: 'edits' });
    if (!plan.ok || !line.ok) throw new Error('refused');
    const { value } = parseInstructions('## Retries\n- max_attempts: 4\n', 'i.md');
    const { settings, origins } = resolveSettings([
      line.value,
      plan.value,
      value.layer,
      layer('retries: {max_attempts: 2}\ntimeouts:\n  stall: 90s\nroles: {Executor: script}'),
      layer('retries: {max_attempts: 1}\ncommit: true\nroles: {Reviewer: claude}', 'user'),
    ]);
    expect(settings.retries).toEqual({ max_attempts: 5, backoff: [1_000] });
    expect(settings.timeouts).toEqual({ ...defaultSettings.timeouts, stall: 90_000 });
    expect(settings.roles).toEqual({ Reviewer: 'claude', Executor: 'script' });
    expect(settings.commit).toBe(true);
    const from = (key: string) =>
      formatOrigin(origins.get(key) ?? { layer: 'defaults', file: null, line: null });
    expect(from('retries.max_attempts')).toBe('plan.yaml:4');
    expect(from('timeouts.stall')).toBe('workspace.yaml:3');
    expect(from('commit')).toBe('user.yaml:2');
    expect(from('permissions')).toBe('command line');
    expect(from('host')).toBe('defaults');
    expect([...origins.keys()]).toEqual(settingKeys);
  });

  it('begin with defaults that depend on the situation', () => {
    const of = (situation: Parameters<typeof situationDefaults>[0]) =>
      resolveSettings([situationDefaults(situation)]).settings;
    expect(of({ attended: true, background: false, modelAgents: true, ownPlan: false })).toMatchObject({
      concurrency: { max_parallel_executors: 2, max_parallel_reviewers: 3 },
      gates: ['plan'],
      isolation: 'auto',
      knowledge: { approval_timeout: null },
    });
    expect(of({ attended: false, background: false, modelAgents: false, ownPlan: false })).toEqual({
      ...defaultSettings,
      knowledge: { ...defaultSettings.knowledge, approval_timeout: 0 },
    });
  });

  it('are read from the user and the workspace, and a broken file is a fault and no stop', () => {
    const workspace = tempDir();
    const home = tempDir();
    mkdirSync(join(workspace, '.ralph'));
    mkdirSync(join(workspace, '.ralph-sessions'));
    writeFileSync(workspaceConfigFile(workspace), 'commit: true\n');
    mkdirSync(join(home, 'ralph-tui', 'config.yaml'), { recursive: true });
    const session = sessionPaths(workspace, '260215-101500');
    writeFileSync(session.instructions, '## Planning\n- max_cycles: 5\n');
    const userFile = userConfigFile({ XDG_CONFIG_HOME: home });
    expect(userFile).toBe(join(home, 'ralph-tui', 'config.yaml'));
    const { layers, faults } = readLayers(createDisk(), { userFile, workspace, session });
    expect(layers.map((it) => it.name)).toEqual(['workspace', 'instructions']);
    expect(faults.map(formatFault)).toEqual([
      `${userFile}: cannot be read (EISDIR); make it a regular file that you own, or remove it`,
    ]);
  });
});

describe('a configuration file that is refused', () => {
  it.each([
    ['concurency: {}', /^config.yaml:1: concurency: did you mean concurrency\?/],
    [
      'concurrency:\n  max_parallel_executer: 3',
      /^config.yaml:2: concurrency.max_parallel_executer: did you mean max_parallel_executors\?/,
    ],
    ['concurrency: {max_parallel_executors: 0}', /must be at least 1$/],
    ['concurrency: {max_parallel_executors: 2.5}', /max_parallel_executors: /],
    ['timeouts: {stall: soon}', /timeouts.stall: must be a duration such as 60s, 5m or 24h$/],
    [
      'retries:\n  backoff:\n    - 1s\n    - never',
      /^config.yaml:4: retries.backoff\[2\]: must be a duration/,
    ],
    ['signals: {poll_interval: 1ms}', /signals.poll_interval: must be at least 50$/],
    ['permissions: root', /permissions: must be one of ask, edits, workspace, all$/],
    ['limits: {max_cost: free}', /limits.max_cost: must be a number, or none$/],
    ['limits: {max_cost: 0}', /limits.max_cost: must be more than 0, or none$/],
    [
      'limits: {max_duration: soon}',
      /limits.max_duration: must be a duration such as 60s, 5m or 24h, or none$/,
    ],
    ['isolation: own', /isolation: must be one of auto, worktree, shared$/],
    ['commit: yes', /commit: must be true or false, not text$/],
    ['- a', /must be a map, not a list$/],
    ['commit: true\ncommit: false', /the key commit appears twice$/],
  ])('names file, line and key: %j', (text, sentence) => {
    expect(faultsOf(text)[0]).toMatch(sentence);
  });

  it('is fine when it is empty, and "none" means none', () => {
    expect(faultsOf('')).toEqual([]);
    expect(
      layer('knowledge: {approval_timeout: none}\nlimits: {max_duration: 2h, max_cost: none}').values,
    ).toEqual({
      knowledge: { approval_timeout: null },
      limits: { max_duration: 7_200_000, max_cost: null },
    });
  });
});

describe('an instructions file', () => {
  it('is read in both forms; foreign keys are left alone, wrong ones are problems and the rest counts', () => {
    const text = `---
applyTo: ".ralph-sessions/x/**"
knowledge:
  max_carry_iterations: 4
  docs: x
---
## Concurrency
- max_parallel_executors: 6
- max_parallel_questioners: 3
- max_parallel_reviewers: many
## Retries
- max_subagent_retries: 3
- backoff: [1s, 2s] # quick
## Timeouts
* \`task_wip_minutes\`: 120
## Target Files
- src/a.ts: the file
`;
    const { value, problems } = parseInstructions(text, 'i.md');
    expect(value.layer.values).toEqual({
      knowledge: { max_carry_iterations: 4 },
      concurrency: { max_parallel_executors: 6 },
      retries: { backoff: [1_000, 2_000] },
      timeouts: { task_wip_minutes: 120 },
    });
    expect(value.applyTo).toBe('.ralph-sessions/x/**');
    expect(problems.map((it) => it.where)).toEqual(['i.md:5', 'i.md:10']);
    expect(value.layer.line?.(['timeouts', 'task_wip_minutes'])).toBe(15);
  });
});

describe('a setting changed while the session runs', () => {
  it('is read as in a file, also when it comes as text', () => {
    expect(readLiveSetting('concurrency.max_parallel_executors', '2')).toBe(2);
    expect(readLiveSetting('timeouts.stall', '90s')).toBe(90_000);
    expect(readLiveSetting('limits.max_cost', 'none')).toBe(null);
    expect(readLiveSetting('timeouts.stall', 'soon')).toBe('soon');
  });

  it('is never the permissions, the host or an unknown key', () => {
    for (const key of ['permissions', 'host', 'agents', 'ui.theme', '__proto__', 'constructor.name', '']) {
      expect(liveSettingProblem(key, 'all')).toMatch(/^SET cannot change/);
      expect(withSet(defaultSettings, { [key]: 'all' })).toBe(defaultSettings);
    }
    expect(liveSettings.map(({ key }) => key)).not.toContain('permissions');
  });

  it('changes that key and no other, and nothing when its value does not fit', () => {
    expect(withSet(defaultSettings, { 'timeouts.stall': 90_000 })).toEqual({
      ...defaultSettings,
      timeouts: { ...defaultSettings.timeouts, stall: 90_000 },
    });
    expect(withSet(defaultSettings, { 'timeouts.stall': 'many' })).toBe(defaultSettings);
  });
});
