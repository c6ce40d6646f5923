import { z } from 'zod';
import { fromJson } from '../../base/json.ts';
import { nearestKey } from '../../tasks/nearest-key.ts';

/**
 * An agent's answer in the form of its schema, where only the form is wrong: a text or one entry for a list, `null` for nothing, `"true"`, `"3"`, a
 * word in another case, a key in another spelling, a key more. Models write all of these, and a reply must not be lost to them. What it leaves is
 * refused by the schema. It never invents a value.
 */
export const inFormOf = (schema: unknown, value: unknown): unknown => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return value === null ? absentIn(schema) : inFormOf(schema.unwrap(), value);
  if (schema instanceof z.ZodReadonly) return inFormOf(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return inFormOf(schema.in, value);
  if (schema instanceof z.ZodUnion) return fitUnion(schema, value);
  if (schema instanceof z.ZodArray) return fitList(schema, value);
  if (schema instanceof z.ZodObject) return fitMap(schema, value);
  if (schema instanceof z.ZodString) return fitText(value);
  if (schema instanceof z.ZodEnum) return fitWord(schema, value);
  if (schema instanceof z.ZodBoolean)
    return typeof value === 'string' ? (truth.get(plain(value)) ?? value) : value;
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
      ? Number(value)
      : value;
  return value;
};

const absentIn = (schema: z.ZodType): null | undefined =>
  schema instanceof z.ZodNullable ? null : undefined;

const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

const fitUnion = (schema: z.ZodUnion, value: unknown): unknown => {
  if (schema.safeParse(value).success) return value;
  const fitted = schema.options.map((option) => inFormOf(option, value));
  return fitted.find((candidate) => schema.safeParse(candidate).success) ?? value;
};

/** A text becomes its lines, without their bullets. One entry becomes a list of it. An empty entry says nothing. */
const fitList = (schema: z.ZodArray, value: unknown): unknown => {
  const { element } = schema;
  const isOfTexts = element instanceof z.ZodString;
  const entries = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? isOfTexts
        ? linesOf(value)
        : value
      : typeof value === 'object' && value !== null
        ? [value]
        : value;
  if (!Array.isArray(entries)) return entries;
  return entries
    .filter((entry) => entry !== null && entry !== undefined)
    .map((entry) => inFormOf(element, entry));
};

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, '').trim())
    .filter((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line) && !nothing.has(plain(line)));

/** Words for "there is none". */
const nothing: ReadonlySet<string> = new Set(['none', 'null', 'na', 'n/a', 'nothing', 'empty']);

/** Whether a text says that there is nothing to say. */
export const saysNothing = (text: string): boolean => text.trim() === '' || nothing.has(plain(text));

const fitText = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('\n');
  return value;
};

const fitWord = (schema: z.ZodEnum, value: unknown): unknown =>
  typeof value === 'string'
    ? (schema.options.find((word) => plain(String(word)) === plain(value)) ?? value)
    : value;

/** A key in another spelling is meant. One that is no key at all is left out, unless it looks like a slip for a known one. */
const fitMap = (schema: z.ZodObject, given: unknown): unknown => {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(schema.shape);
  const isStrict = schema.def.catchall instanceof z.ZodNever;
  const fitted = new Map<string, unknown>();
  for (const [name, content] of Object.entries(value)) {
    const key = keys.includes(name) ? name : keys.find((known) => plain(known) === plain(name));
    if (key !== undefined) {
      const inner = inFormOf(schema.shape[key], content);
      if (inner !== undefined && (key === name || !fitted.has(key))) fitted.set(key, inner);
    } else if (!isStrict || nearestKey(name, keys) !== null) fitted.set(name, content);
  }
  return Object.fromEntries(fitted);
};

/** A map that was written as JSON inside a text. */
const parsed = (text: string): unknown => {
  return text.trim().startsWith('{') ? (fromJson(text) ?? text) : text;
};

/** `Not_Met`, `not-met` and `not met` are one word. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/gu, '');
