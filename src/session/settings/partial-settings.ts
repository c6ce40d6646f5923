import { z } from 'zod';
import type { Checked } from '../../base/fault.ts';
import { isRecord } from '../../base/json.ts';
import { late } from '../../base/memoise.ts';
import { checkValue, type Source } from '../../tasks/schema-faults.ts';
import { defaultSettings, type PartialSettings, type Settings, settingsSchema } from '../settings.ts';
import { allSettings, settingSteps, settingTable } from './index.ts';
import { nestKeys } from './nest-keys.ts';
import { writtenSchema } from './written.ts';

/** Settings from files and command lines: any part, in the form for people. Strict, so that a misspelt key is an error. */
const partialSettingsSchema = late(() =>
  z
    .strictObject(
      nestKeys<z.ZodType>(
        allSettings.map((setting) => [setting.key, writtenSchema(setting).optional()]),
        (group) => z.strictObject(group).optional(),
      ),
    )
    .pipe(z.custom<PartialSettings>()),
);

/** Every key in the form of `config show`. `agents`, `roles` and `ui.keys` are maps with free keys below that. */
export const settingKeys: readonly string[] = settingTable.map(({ key }) => key);

/** Checks settings from a file. `at` is their path in it. */
export const checkSettings = (
  value: unknown,
  source: Source,
  at: readonly PropertyKey[] = [],
): Checked<PartialSettings> => checkValue(partialSettingsSchema(), value ?? {}, source, 'config', at);

/** Merges a part into complete settings: groups key by key, maps of free keys entry by entry, lists as a whole. */
export const mergeSettings = (settings: Settings, part: PartialSettings): Settings =>
  overlaid(settings, part);

/** Settings are checked a few times in a run: the code that zod would write for that costs more than it saves. */
const once = { jitless: true } as const;

/** Completes the settings of a journal with the defaults. `null` when they are invalid. */
export const wholeSettings = (value: unknown): Settings | null =>
  settingsSchema().safeParse(mergeValues(defaultSettings, value), once).data ?? null;

/** Sets the value of one dotted key. An invalid value leaves the settings unchanged. */
export const laySetting = (settings: Settings, key: string, value: unknown): Settings =>
  overlaid(settings, nest(key, value));

const overlaid = (settings: Settings, part: unknown): Settings => {
  const merged = settingsSchema().safeParse(mergeValues(settings, part), once);
  return merged.success ? merged.data : settings;
};

/** Merges one part over another. */
export const mergeParts = (below: PartialSettings, above: PartialSettings): PartialSettings => {
  const merged = partialSettingsSchema().safeParse(mergeValues(below, above));
  return merged.success ? merged.data : below;
};

const mergeValues = (below: unknown, above: unknown): unknown => {
  if (above === undefined) return below;
  if (!isRecord(below) || !isRecord(above)) return above;
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])];
  return Object.fromEntries(keys.map((key) => [key, mergeValues(below[key], above[key])]));
};

/** The value of a dotted key: `settingOf(settings, 'timeouts.stall')`. */
export const settingOf = (settings: Settings | PartialSettings, key: string): unknown => {
  let here: unknown = settings;
  for (const step of settingSteps(key))
    here = isRecord(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  return here;
};

/** `{a: {b: value}}` for `a.b`. */
export const nest = (key: string, value: unknown): unknown =>
  settingSteps(key).reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
