import { z } from 'zod';
import { durationSchema } from '../../tasks/duration.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import type { Setting } from './setting.ts';

/**
 * The schema of a setting as written in files, plans and signals: durations as `30s`, `none` where no limit is allowed. The output is the value in
 * memory, and parsing the output again gives the same value.
 */
export const writtenSchema = (setting: Setting): z.ZodType => {
  const { schema, unit } = setting;
  const base = unit === 'ms' ? durationOf(schema) : schema;
  return schema.safeParse(null).success ? orNone(base, setting) : base;
};

const duration: z.ZodType = durationSchema;
const durations: z.ZodType = z.array(durationSchema);

const durationOf = (schema: z.ZodType): z.ZodType =>
  (schema.safeParse([]).success ? durations : duration).pipe(schema);

/** `null` and `none` mean no limit. The error for any other value mentions `none` too. */
const orNone = (schema: z.ZodType, { key }: Setting): z.ZodType =>
  z.unknown().transform((value, context) => {
    if (value === null || value === 'none') return null;
    const checked = checkValue(schema, value, { file: key, line: null }, 'setting');
    if (checked.ok) return checked.value;
    for (const { what } of checked.faults)
      context.addIssue({ code: 'custom', message: `${what.replace(/, not .*$/, '')}, or none` });
    return z.NEVER;
  });

/** The value of a text on a command line or after a bullet: a number, true or false, `null`, a list, else the text. */
export const plainValue = (written: string): unknown => {
  const text = written.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!text.startsWith('[')) return text;
  return text
    .replaceAll(/[[\]]/g, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
};
