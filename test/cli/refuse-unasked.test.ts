import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { refuseUnasked } from '../../src/cli/host/refuse-unasked.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';

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
    what: expect.stringContaining('hosting screen only'),
  });
  expect(refusal('edits', {}, background)).toBeNull();
});

test('headless a person has to say what agents may do unasked', () => {
  expect(refusal('workspace', {}, headless)).toMatchObject({
    code: 3,
    what: expect.stringContaining('nobody is there'),
  });
  expect(refusal('workspace', { permissions: 'workspace' }, headless)).toBeNull();
});

test('neither concerns a screen, nor roles that run commands alone', () => {
  expect(refusal('ask', {}, screen)).toBeNull();
  expect(refusal('ask', {}, background, 'script')).toBeNull();
  expect(refusal('ask', {}, headless, 'script')).toBeNull();
});
