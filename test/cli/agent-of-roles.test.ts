import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText } from '../../src/base/replace-file.ts';
import { preparePlan } from '../../src/cli/host/prepare-plan.ts';
import { refuseUnasked } from '../../src/cli/host/refuse-unasked.ts';
import { flagSettings } from '../../src/cli/options.ts';
import { loadConfiguration } from '../../src/cli/settings/load-settings.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const configured = 'roles: {planner: claude, executor: claude, reviewer: gemini, librarian: script}\n';

test('--agent gives every role to one agent, whatever a file says', () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': configured });
  const cli = createTestCli({ env: { XDG_CONFIG_HOME: tempDir() } });
  const { settings } = loadConfiguration(cli, createWorld(), {
    workspace,
    attended: true,
    flags: { agent: 'codex' },
  });
  expect(settings.roles).toEqual({
    planner: 'codex',
    questioner: 'codex',
    executor: 'codex',
    reviewer: 'codex',
    librarian: 'codex',
  });
});

test('beside a plan the script Planner reads it, and --agent gives the work', () => {
  const reading = { planner: 'script', questioner: 'script' };
  expect(flagSettings({ agent: 'codex' }, true)).toEqual({
    roles: { ...reading, executor: 'codex', reviewer: 'codex', librarian: 'codex' },
  });
  expect(flagSettings({ agent: 'script' }, true)).toEqual({
    roles: { ...reading, executor: 'script', reviewer: 'script', librarian: 'script' },
  });
});

test('the demo runs scripts beside agents in the configuration, and unattended it refuses nothing', () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': configured });
  const world = createWorld();
  const file = join(import.meta.dirname, '../../src/samples/demo/plan.yaml');
  const text = readText(world.disk, file) ?? '';
  const cli = createTestCli({ env: { XDG_CONFIG_HOME: tempDir() } });
  const start = { workspace, file, text, source: 'demo', mode: 'json' } as const;
  const { settings } = preparePlan(cli, world, start).engine();
  expect(new Set(Object.values(settings.roles))).toEqual(new Set(['script']));
  expect(settings.gates).toEqual([]);
  refuseUnasked({ settings, flags: {} }, { background: false, attended: false });
});

test('a plan of your own is approved by the question before the start, and waits at no gate but one that you set', () => {
  const own = 'agents: {mine: {type: command, command: [/bin/sh]}}\n';
  const gatesOf = (source: 'plan' | 'demo', config = own) =>
    preparePlan(createTestCli({ env: { XDG_CONFIG_HOME: tempDir() } }), createWorld(), {
      workspace: workspaceWith({ '.ralph/config.yaml': config }),
      file: 'plan.yaml',
      text: 'goal: Mine\ntasks: [{id: one, title: One, objective: Write a.txt}]\n',
      source,
      mode: 'screen',
      flags: { agent: 'mine' },
    }).engine().settings.gates;
  expect(gatesOf('plan')).toEqual([]);
  expect(gatesOf('plan', `${own}gates: [plan]\n`)).toEqual(['plan']);
  // Nobody is asked about the sample.
  expect(gatesOf('demo')).toEqual(['plan']);
});
