import { z } from 'zod';
import type { Checked, Fault } from '../base/fault.ts';
import { durationSchema } from '../tasks/duration.ts';
import { checkValue, type Source } from '../tasks/schema-faults.ts';
import { isRecord } from '../tasks/yaml-edit.ts';
import { type Settings, settingsSchema } from './settings.ts';

const groups = settingsSchema.shape;

/** What stands for "no limit" and "no deadline" in a file. */
const none = z.union([z.null(), z.literal('none')]).transform(() => null);

const duration = durationSchema.pipe(z.number());
const durationOrNone = z.union([none, durationSchema], {
  error: 'must be a duration such as 60s, 5m or 24h, or none',
});

/** Settings as files and command lines give them: any part, durations as people write them; strict, so that a misspelt key is an error. */
export const partialSettingsSchema = z.strictObject({
  concurrency: groups.concurrency.partial().strict().optional(),
  planning: groups.planning.partial().strict().optional(),
  gates: groups.gates.optional(),
  retries: z
    .strictObject({
      max_attempts: groups.retries.shape.max_attempts.optional(),
      backoff: z.array(duration).readonly().optional(),
    })
    .optional(),
  timeouts: z
    .strictObject({
      task_wip_minutes: groups.timeouts.shape.task_wip_minutes.optional(),
      stall: duration.optional(),
      abort_grace: duration.optional(),
    })
    .optional(),
  knowledge: z
    .strictObject({
      approval_timeout: durationOrNone.optional(),
      max_carry_iterations: groups.knowledge.shape.max_carry_iterations.optional(),
      docs_dir: groups.knowledge.shape.docs_dir.optional(),
    })
    .optional(),
  permissions: groups.permissions.optional(),
  commit: groups.commit.optional(),
  limits: z
    .strictObject({
      max_duration: durationOrNone.optional(),
      max_cost: z
        .union([none, z.number().positive()], { error: 'must be a number more than 0, or none' })
        .optional(),
      max_attempts_total: z
        .union([none, z.number().int().positive()], { error: 'must be a whole number more than 0, or none' })
        .optional(),
    })
    .optional(),
  signals: z.strictObject({ poll_interval: duration.optional() }).optional(),
  host: groups.host.optional(),
  on_disconnect: groups.on_disconnect.optional(),
  isolation: groups.isolation.optional(),
  agents: groups.agents.optional(),
  roles: groups.roles.optional(),
  ui: groups.ui.partial().strict().optional(),
});

/** Any part of the settings, in the units of `Settings`. */
export type PartialSettings = z.output<typeof partialSettingsSchema>;

/** Every key as `config show` names it; `agents`, `roles` and `ui.keys` are maps of free keys below that. */
export const settingKeys: readonly string[] = Object.entries(settingsSchema.shape).flatMap(
  ([group, schema]) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).map((key) => `${group}.${key}`) : [group],
);

/** Checks settings from a file; `at` is where they stand in it. Bounds hold for the value itself and not only for its form. */
export const checkSettings = (
  value: unknown,
  source: Source,
  at: readonly PropertyKey[] = [],
): Checked<PartialSettings> => {
  const checked = checkValue(partialSettingsSchema, value ?? {}, source, 'config', at);
  if (!checked.ok) return checked;
  const bounds = checkValue(boundsSchema, checked.value, source, 'config', at);
  return bounds.ok ? checked : bounds;
};

/** The bounds of `Settings` for what a duration came to. */
const boundsSchema: z.ZodType<unknown> = z.object(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([key, schema]) => [
      key,
      schema instanceof z.ZodObject ? schema.partial().optional() : schema.optional(),
    ]),
  ),
);

/** Lays a part over whole settings: groups key by key, maps of free keys entry by entry, lists as a whole. */
export const mergeSettings = (settings: Settings, part: PartialSettings): Settings => {
  const merged = settingsSchema.safeParse(mergeValues(settings, part));
  return merged.success ? merged.data : settings;
};

/** Lays one part over another. */
export const mergeParts = (below: PartialSettings, above: PartialSettings): PartialSettings => {
  const merged = partialSettingsSchema.safeParse(mergeValues(below, above));
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
  for (const step of key.split('.'))
    here = isRecord(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  return here;
};

/** Keys a SET signal may change while the session runs; the others are read once at its start, and permissions never come by mail. */
export const liveSettingKeys: readonly string[] = settingKeys.filter((key) =>
  /^(?:concurrency\.|planning\.|retries\.|timeouts\.|limits\.|commit$|knowledge\.(?:approval_timeout|max_carry_iterations)$|signals\.poll_interval$)/.test(
    key,
  ),
);

/** Checks one key of a SET; `value` is as people write it (`2`, `90s`, `none`), also as text. */
export const parseLiveSetting = (
  key: string,
  value: unknown,
): Checked<{ readonly key: string; readonly value: unknown }> => {
  const refuse = (fault: Fault): Checked<never> => ({ ok: false, faults: [fault] });
  if (!liveSettingKeys.includes(key)) {
    const what = settingKeys.includes(key)
      ? `${key} cannot change while the session runs`
      : `${key} is not a setting`;
    return refuse({ code: 'set-key', what, mend: `these can: ${liveSettingKeys.join(', ')}` });
  }
  const checked = checkSettings(nest(key, plain(value)), { file: 'SET', line: null });
  return checked.ok ? { ok: true, value: { key, value: settingOf(checked.value, key) } } : checked;
};

/** Whole settings with one key set, as `settings.changed` says; what cannot be set leaves them as they are, so that a fold stays total. */
export const setSetting = (settings: Settings, key: string, value: unknown): Settings => {
  const checked = parseLiveSetting(key, value);
  const part = checked.ok ? partialSettingsSchema.safeParse(nest(key, checked.value.value)) : null;
  return part?.success ? mergeSettings(settings, part.data) : settings;
};

/** `{a: {b: value}}` for `a.b`. */
export const nest = (key: string, value: unknown): unknown =>
  key.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);

/** A number or a truth value that came as text, as on a command line. */
const plain = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text.startsWith('[')
    ? text
        .replaceAll(/[[\]\s]/g, '')
        .split(',')
        .filter((it) => it !== '')
    : text;
};
