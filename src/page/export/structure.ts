import { z } from 'zod';
import { type Event, eventBodySchema } from '../../pipeline/event.ts';
import { sessionIdPattern } from '../../session/paths.ts';
import { allSettings } from '../../session/settings/index.ts';
import { settingsSchema } from '../../session/settings.ts';
import { checkpoints } from '../../signals/checkpoints.ts';
import { roleSchema } from '../../signals/signal.ts';

/**
 * The events without any text of the session, for bug reports: every text becomes a name such as `text-12`, the same text always the same name.
 * Numbers, times, words of the format itself and the program's own ids stay. An event that fits no known type is dropped.
 */
export const structureOf = (events: readonly Event[]): readonly Event[] => {
  const name = createNames(events);
  return events.flatMap((event): readonly Event[] => {
    const { seq, at, ...body } = event;
    const option = eventBodySchema().options.find(({ shape }) => shape.type.value === event.type);
    if (option === undefined || !isTime.test(at)) return [];
    const parsed = eventBodySchema().safeParse(named(option, body, '', name));
    return parsed.success ? [{ ...parsed.data, seq, at }] : [];
  });
};

/** The name of a text, by the key that it is under. */
type Name = (text: string, key: string) => string;

const createNames = (events: readonly Event[]): Name => {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const name: Name = (text, key) => {
    if (isOwn(text, key)) return text;
    const found = known.get(text);
    if (found !== undefined) return found;
    const kind = kindOf[key] ?? 'text';
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    const made = `${kind}-${number}`;
    known.set(text, made);
    return made;
  };
  // Tasks get their names first, in the order of the plan: their ids are in other texts' places too.
  for (const event of events)
    if (event.type === 'tasks.defined' || event.type === 'iteration.started')
      for (const { id } of event.tasks) name(id, 'task');
  return name;
};

const kindOf: { readonly [key: string]: string | undefined } = {
  task: 'task',
  file: 'file',
  files: 'file',
  path: 'file',
  paths: 'file',
  directory: 'file',
  directories: 'file',
  workspace: 'file',
  agent: 'agent',
  backend: 'agent',
  owner: 'agent',
  label: 'agent',
  by: 'person',
  from: 'person',
};

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const invocationId = new RegExp(`^(?:${roleSchema.options.join('|')})-\\d{1,9}$`);
const exitWord = /^(?:\d{1,3}|SIG[A-Z]{2,8})$/;
const checkpointIds: readonly string[] = checkpoints.map(({ id }) => id);

/** Texts that the program itself made, by its own rules. */
const isOwn = (text: string, key: string): boolean =>
  text === '' ||
  isTime.test(text) ||
  sessionIdPattern.test(text) ||
  invocationId.test(text) ||
  checkpointIds.includes(text) ||
  (key === 'exit' && exitWord.test(text));

const settingKeys: ReadonlySet<string> = new Set(allSettings.flatMap(({ key }) => [key, ...key.split('.')]));

/** The value with every text named that the schema does not fix. */
const named = (schema: z.core.$ZodType, value: unknown, key: string, name: Name): unknown => {
  if (key === 'settings') return inSettings(value, name);
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) return value;
  if (schema instanceof z.ZodObject) return inObject(schema, value, name);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((item) => named(schema.element, item, key, name)) : null;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return value === null || value === undefined ? value : named(schema.unwrap(), value, key, name);
  if (schema instanceof z.ZodPipe)
    return named(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value, key, name);
  if (schema instanceof z.ZodUnion) {
    const fits = schema.options.find((option) => z.safeParse(option, value).success);
    return fits === undefined ? anything(value, key, name) : named(fits, value, key, name);
  }
  if (schema instanceof z.ZodRecord && isRecord(value))
    return renamed(value, key, name, (item, own) => named(schema.valueType, item, own, name));
  return anything(value, key, name);
};

const inObject = (schema: z.ZodObject, value: unknown, name: Name): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(schema.shape).flatMap(([key, part]) =>
          Object.hasOwn(value, key) ? [[key, named(part, value[key], key, name)]] : [],
        ),
      )
    : null;

/** Settings keep what their table fixes. A value that no longer fits is left out, and gets its default. */
const inSettings = (value: unknown, name: Name): unknown => {
  const { in: schema } = settingsSchema();
  return schema instanceof z.ZodObject ? inObject(schema, value, name) : null;
};

/** A value whose schema says nothing: its numbers stay. */
const anything = (value: unknown, key: string, name: Name): unknown => {
  if (typeof value === 'string') return name(value, key);
  if (Array.isArray(value)) return value.map((item) => anything(item, key, name));
  return isRecord(value) ? renamed(value, key, name, (item, own) => anything(item, own, name)) : value;
};

/** An object whose keys are texts of the session, but for those of settings. */
const renamed = (
  value: Readonly<Record<string, unknown>>,
  key: string,
  name: Name,
  inner: (item: unknown, key: string) => unknown,
): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([own, item]) => [
      settingKeys.has(own) ? own : name(own, key),
      inner(item, own),
    ]),
  );

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
