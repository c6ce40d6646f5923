import { z } from 'zod';
import type { Checked, Fault } from '../../base/fault.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import type { Brief, Mode } from '../port.ts';
import { inFormOf } from './in-form-of.ts';

/** The answer that one kind of turn requires. */
export interface Contract {
  readonly kind: string;
  readonly mode: Mode;
  readonly shape: z.ZodType;
  /** Gives the answer as the role's procedure reads it, or its faults beyond the shape. */
  readonly convert: (value: unknown, brief: Brief) => Converted;
}

export type Converted =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'wrong'; readonly wrong: readonly string[] };

/** `reads`: the schema by which the role's procedure reads the answer. What passes here must pass there too. */
export const contract = <T>(
  kind: string,
  mode: Mode,
  shape: z.ZodType<T>,
  reads: z.ZodType,
  convert: (answer: T, brief: Brief) => Converted = (answer) => ({ kind: 'answer', answer }),
): Contract => ({
  kind,
  mode,
  shape,
  convert: (value, brief) => {
    const checked = check(shape, inFormOf(shape, unwrapped(shape, value)));
    if (!checked.ok) return wrongOf(checked.faults);
    const converted = convert(checked.value, brief);
    if (converted.kind === 'wrong') return converted;
    const read = check(reads, converted.answer);
    return read.ok ? converted : wrongOf(read.faults);
  },
});

const check = <T>(schema: z.ZodType<T>, value: unknown): Checked<T> =>
  checkValue(schema, value, { file: 'outcome', line: null }, 'outcome');

const wrongOf = (faults: readonly Fault[]): Converted => ({
  kind: 'wrong',
  wrong: faults.slice(0, mostWrong).map(({ what }) => what),
});

/** Some agents write the arguments of `task_update` into their reply, the outcome inside. */
export const unwrapped = (shape: z.ZodType, value: unknown): unknown => {
  if (!(shape instanceof z.ZodObject) || 'outcome' in shape.shape) return value;
  const outer = z.looseObject({ outcome: z.looseObject({}) }).safeParse(value);
  return outer.success ? outer.data.outcome : value;
};

/** The most faulty fields named at once. */
export const mostWrong = 10;
