import { wholeSettings } from '../../session/settings/partial-settings.ts';
import type { Settings } from '../../session/settings.ts';

/** Settings from an event. Keys younger than the journal get their default; an invalid value keeps the old settings. */
export const settingsFrom = (value: unknown, old: Settings): Settings => wholeSettings(value) ?? old;
