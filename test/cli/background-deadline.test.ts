import { expect, test } from 'vitest';
import { loadConfiguration } from '../../src/cli/settings/load-settings.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const day = 24 * 60 * 60_000;
const deadline = (files: Record<string, string>, situation: { attended: boolean; background?: boolean }) =>
  loadConfiguration(createTestCli({}), createWorld(), { workspace: workspaceWith(files), ...situation })
    .settings.knowledge.approval_timeout;

test('`config show` at a screen has the deadline that a background session gets', () => {
  const files = { '.ralph/config.yaml': 'host: background\n' };
  const shown = deadline(files, { attended: true });
  expect(shown).toBe(day);
  expect(deadline(files, { attended: true, background: true })).toBe(shown);
  expect(deadline({}, { attended: true })).toBeNull();
});

test('a background session keeps the deadline that somebody chose, and for ever when it says none', () => {
  const started = { attended: true, background: true };
  expect(deadline({}, started)).toBe(day);
  expect(deadline({ '.ralph/config.yaml': 'knowledge: {approval_timeout: 5m}\n' }, started)).toBe(300_000);
  expect(deadline({ '.ralph/config.yaml': 'knowledge: {approval_timeout: none}\n' }, started)).toBeNull();
});

test('headless the gate waits for nobody, whatever the host', () => {
  expect(deadline({ '.ralph/config.yaml': 'host: background\n' }, { attended: false })).toBe(0);
});
