import type { PartialSettings } from '../settings.ts';
import { allSettings } from './index.ts';
import { settingOf } from './partial-settings.ts';
import type { Setting } from './setting.ts';

/**
 * The settings of a repository's own file that run something, or let agents do, cost or hide more than without them, one line each.
 * A person must approve them before they count (src/cli/README.md, Commands; test/README.md, Execution).
 */
export const wideningSettings = (values: PartialSettings): readonly string[] =>
  allSettings.flatMap((setting) => {
    const value = settingOf(values, setting.key);
    return value === undefined || !widens(setting, value) ? [] : [`${setting.key}: ${JSON.stringify(value)}`];
  });

const widens = ({ widens }: Setting, value: unknown): boolean => {
  if (typeof widens === 'string') return widens === 'always';
  const written = JSON.stringify(value);
  return !widens.unless.some((harmless) => JSON.stringify(harmless) === written);
};
