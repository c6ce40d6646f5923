import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { refuseUnasked } from '../../src/cli/host/refuse-unasked.ts';
import { newSessionPaths } from '../../src/cli/host/wire.ts';
import { orNoSession } from '../../src/cli/launch/or-no-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** The exit code and the sentence of the refusal, or `null`. */
const refusal = (
  permissions: Settings['permissions'],
  flags: Parameters<typeof refuseUnasked>[0]['flags'],
  how: Parameters<typeof refuseUnasked>[1],
  executor = 'gemini',
) => {
  const roles = { ...defaultSettings.roles, executor };
  try {
    refuseUnasked({ settings: { permissions, roles }, flags }, how);
    return null;
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: error.code, what: error.fault.what };
  }
};

const background = { background: true, attended: true };
const headless = { background: false, attended: false };
const screen = { background: false, attended: true };

test('a background host refuses to ask, for nobody could answer it with a key', () => {
  expect(refusal('ask', {}, background)).toMatchObject({
    code: 2,
    what: expect.stringContaining('only on a screen'),
  });
  expect(refusal('edits', {}, background)).toBeNull();
});

test('headless a person has to say what agents may do without asking, in the configuration or on the line', () => {
  expect(refusal('ask', {}, headless)).toMatchObject({
    code: 3,
    what: expect.stringContaining('there is no terminal to answer in'),
  });
  expect(refusal('workspace', {}, headless)).toBeNull();
  expect(refusal('ask', { permissions: 'ask' }, headless)).toBeNull();
});

test('neither concerns a screen, nor roles that run commands alone', () => {
  expect(refusal('ask', {}, screen)).toBeNull();
  expect(refusal('ask', {}, background, 'script')).toBeNull();
  expect(refusal('ask', {}, headless, 'script')).toBeNull();
});

test('a start that is refused at the last check leaves no session', () => {
  const world = createWorld();
  const paths = newSessionPaths({ env: { XDG_STATE_HOME: tempDir() } }, world, workspaceWith({}));
  expect(existsSync(paths.directory)).toBe(true);
  const refuse = () => {
    throw new Exit(3, { code: 'needs-permissions', what: 'nobody is there' });
  };
  expect(() => orNoSession(world, { paths }, refuse)).toThrow(Exit);
  expect(existsSync(paths.directory)).toBe(false);
});
