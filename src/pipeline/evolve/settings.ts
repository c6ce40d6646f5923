import { type Settings, settingsSchema } from '../../session/settings.ts';

/** Settings as an event carries them; what does not fit the schema leaves the old ones in force. */
export const settingsFrom = (value: unknown, old: Settings): Settings => {
  const parsed = settingsSchema.safeParse(value);
  return parsed.success ? parsed.data : old;
};

/** Dotted keys applied one by one: `concurrency.max_parallel_executors: 2`. A key that does not fit changes nothing. */
export const withSettings = (old: Settings, set: Readonly<Record<string, unknown>>): Settings =>
  Object.entries(set).reduce<Settings>(
    (settings, [key, value]) => settingsFrom(withPath(settings, key.split('.'), value), settings),
    old,
  );

const withPath = (target: unknown, path: readonly string[], value: unknown): unknown => {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, head)) return target;
  const entries = Object.entries(target).map(([key, old]) => [
    key,
    key === head ? withPath(old, rest, value) : old,
  ]);
  return Object.fromEntries(entries);
};
