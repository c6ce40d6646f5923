import { expect, test } from 'vitest';
import { flagSettings } from '../../src/cli/options.ts';
import { loadConfiguration } from '../../src/cli/session/load-settings.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

test('--agent fills only the roles that no file names', () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': 'roles: {reviewer: gemini, librarian: script}\n' });
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
    reviewer: 'gemini',
    librarian: 'script',
  });
});

test('beside a plan, --agent gives only the roles that work on its tasks', () => {
  expect(flagSettings({ agent: 'codex' }, true, new Set(['reviewer']))).toEqual({
    roles: { executor: 'codex', librarian: 'codex' },
  });
});
