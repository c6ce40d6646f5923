import { expect, test } from 'vitest';
import { parseConfig, resolveSettings } from '../../src/session/config.ts';
import { settingOf, wholeSettings } from '../../src/session/settings/partial-settings.ts';
import { defaultSettings } from '../../src/session/settings.ts';

test('a setting below one that has a value of its own is written, merged, kept and named by its whole name', () => {
  expect(defaultSettings).toMatchObject({ permissions: 'ask', 'permissions.unattended': 'wait' });
  const layer = parseConfig('permissions: edits\npermissions.unattended: refuse\n', 'config.yaml', 'user');
  if (!layer.ok) throw new Error(JSON.stringify(layer.faults));
  const { settings, origins } = resolveSettings([layer.value]);
  expect(settingOf(settings, 'permissions')).toBe('edits');
  expect(settingOf(settings, 'permissions.unattended')).toBe('refuse');
  expect(origins.get('permissions.unattended')).toMatchObject({ file: 'config.yaml', line: 2 });
  expect(wholeSettings({ 'permissions.unattended': 'refuse' })?.['permissions.unattended']).toBe('refuse');
});
