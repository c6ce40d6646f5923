import { formatFault } from '../../base/fault.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import type { Settings } from '../settings.ts';
import { allSettings } from './index.ts';
import { laySetting } from './partial-settings.ts';
import type { Setting } from './setting.ts';
import { plainValue, writtenSchema } from './written.ts';

/** The settings that a SET signal may change while the session runs (src/signals/README.md, Types). */
export const liveSettings: readonly Setting[] = allSettings.filter(({ live }) => live);

const findLive = (key: string): Setting | undefined => liveSettings.find((setting) => setting.key === key);

/** The value of one entry of a SET, as written by people: `30s`, `none`, a quoted number. An unreadable value stays unchanged. */
export const readLiveSetting = (key: string, written: unknown): unknown => {
  const setting = findLive(key);
  const plain = typeof written === 'string' ? plainValue(written) : written;
  const read = setting ? writtenSchema(setting).safeParse(plain) : null;
  return read?.success ? read.data : written;
};

/** The reason to refuse an entry of a SET, or `null`. */
export const liveSettingProblem = (key: string, value: unknown): string | null => {
  const setting = findLive(key);
  if (!setting)
    return `SET cannot change "${key}" while the session runs; it can change ${liveSettings.map((each) => each.key).join(', ')}`;
  const checked = checkValue(writtenSchema(setting), value, { file: `SET ${key}`, line: null }, 'set-value');
  return checked.ok ? null : checked.faults.map(formatFault).join('; ');
};

/**
 * Applies the changes of a `settings.changed` event. Changes only live settings, whatever the journal contains: agents can write to it. An invalid
 * value changes nothing.
 */
export const withSet = (settings: Settings, set: Readonly<Record<string, unknown>>): Settings =>
  Object.entries(set).reduce<Settings>(
    (changed, [key, value]) => (findLive(key) ? laySetting(changed, key, value) : changed),
    settings,
  );
