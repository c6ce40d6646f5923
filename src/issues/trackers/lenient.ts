import { z } from 'zod';
import type { Checked, Fault } from '../../base/fault.ts';

/** An id as people write it: a text or a number. */
export const idField = z.union([z.string().min(1), z.number()]).transform(String);

/** A text that may be missing. */
export const textField = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** One entry or a list of them; `null` is an empty list. */
const listOf = <T>(entry: z.ZodType<T>) =>
  z
    .union([z.array(entry), entry.transform((one) => [one])])
    .nullish()
    .transform((entries) => entries ?? []);

export const idsField = listOf(z.union([idField, z.looseObject({ id: idField }).transform(({ id }) => id)]));

export const textsField = listOf(z.string());

const wordKeys = ['text', 'description', 'title', 'criterion', 'name', 'value'] as const;

/** An acceptance criterion: a text, or a map with its text under one of the usual keys. A map of other keys is given as they are. */
const criterion = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((map) => {
    for (const key of wordKeys) if (typeof map[key] === 'string') return map[key];
    return Object.entries(map)
      .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ');
  }),
]);

export const criteriaField = listOf(criterion);

const ranks: Readonly<Record<string, number>> = {
  ...{ urgent: 0, critical: 0, blocker: 0, highest: 0, high: 1, medium: 2, normal: 2, low: 3, lowest: 4 },
};

const rank = z.union([
  z.number(),
  z.string().transform((text, context) => {
    const word = text.trim().toLowerCase();
    const number = /^p?(\d{1,4})$/.exec(word)?.[1];
    const found = number === undefined ? ranks[word] : Number(number);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: `"${text.slice(0, 40)}" is not a priority` });
    return z.NEVER;
  }),
]);

/** A priority as a number, a number in a text, `P2`, or a word such as `high`; the smallest comes first. */
export const priorityField = rank.nullish();

export const flagField = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
  .nullish();

interface ReadEntries<T> {
  readonly read: readonly T[];
  readonly problems: readonly Fault[];
}

/** For `jsonFrom`: the entries of a list that can be read, and a problem for each other one, so that one odd entry hides no other. `null` is an empty list. */
export const eachBy =
  <T>(name: string, schema: z.ZodType<T>) =>
  (value: unknown): Checked<ReadEntries<T>> => {
    const list = z.array(z.unknown()).nullable().safeParse(value);
    return list.success
      ? readEach(name, schema, list.data ?? [])
      : { ok: false, faults: [{ code: 'tracker-answer', what: 'it must be a list' }] };
  };

const readEach = <T>(
  name: string,
  schema: z.ZodType<T>,
  entries: readonly unknown[],
): Checked<ReadEntries<T>> => {
  const read: T[] = [];
  const problems: Fault[] = [];
  for (const [at, entry] of entries.entries()) {
    const found = schema.safeParse(entry);
    if (found.success) read.push(found.data);
    else problems.push(unreadable(name, at, entry, found.error));
  }
  const [first] = problems;
  // Nothing that it said can be read: its format is another one.
  return read.length === 0 && first !== undefined
    ? { ok: false, faults: [first] }
    : { ok: true, value: { read, problems } };
};

const named = z.looseObject({ id: idField.optional(), number: idField.optional() });

const unreadable = (name: string, at: number, entry: unknown, error: z.ZodError): Fault => {
  const { id, number } = named.safeParse(entry).data ?? {};
  const which = id ?? number;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  return {
    code: 'issue-line',
    what: `${which === undefined ? `entry ${at + 1} of its list` : `issue ${which}`} cannot be read${field === '' ? '' : ` (${field}: ${issue?.message ?? ''})`} and is left out`,
    where: name,
  };
};
