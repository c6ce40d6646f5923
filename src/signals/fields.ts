import { type Document, isMap, isScalar, isSeq } from 'yaml';
import { safe } from '../base/safe.ts';
import { readLiveSetting } from '../session/settings/live-settings.ts';
import { taskIdSchema } from '../tasks/task.ts';
import {
  agentSchema,
  type Signal,
  type SignalType,
  type SteerVerdict,
  signalSchema,
  signalTypeSchema,
  type Target,
  verdictSchema,
  workerSchema,
} from './signal.ts';

/**
 * Reads the fields of a signal's document leniently (src/signals/README.md, Files): any case, `Ralph-X`, `Ralph-v2-X`, `X`, `STOP`, numbers in place of
 * text. Looks up values by key in the document model, so that a key like `__proto__` is only a key. Problems are clauses.
 */
export const readFields = (document: Document): FieldsRead => {
  const problems: string[] = [];
  const field: Field = {
    get: (key) => document.get(key, true),
    note: (problem) => {
      problems.push(problem);
      return undefined;
    },
  };
  const fields = {
    type: typeOf(field),
    target: targetOf(field),
    message: textOf(field, 'message'),
    iteration: numberOf(field, 'iteration'),
    created_at: textOf(field, 'created_at'),
    from: textOf(field, 'from'),
    task: taskOf(field),
    worker: workerOf(field),
    attempt: numberOf(field, 'attempt'),
    apply: applyOf(field),
    resume: flagOf(field, 'resume'),
    now: flagOf(field, 'now'),
    promote: promoteOf(field),
    request: textOf(field, 'request'),
    option: textOf(field, 'option'),
    set: setOf(field),
  };
  if (problems.length > 0) return { signal: null, problems };
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const { data, error } = signalSchema.safeParse(said);
  if (!data) return { signal: null, problems: [error?.issues[0]?.message ?? 'is not a signal'] };
  return { signal: asRead(data), problems: [] };
};

interface FieldsRead {
  readonly signal: Signal | null;
  readonly problems: readonly string[];
}

interface Field {
  /** The node of a key. */
  readonly get: (key: string) => unknown;
  readonly note: (problem: string) => undefined;
}

/** The text of a scalar as written (`1.0` stays `1.0`). An empty value counts as absent. */
const textOf = (field: Field, key: string): string | undefined => {
  const node = field.get(key);
  if (node === undefined || node === null) return undefined;
  if (!isScalar(node)) return field.note(`\`${key}\` must be text`);
  const { value, source, tag } = node;
  if (value === null) return undefined;
  if (tag !== undefined && !textTags.test(tag)) return field.note(`\`${key}\` must be text`);
  if (typeof value !== 'string' && (typeof value === 'object' || source === undefined))
    return field.note(`\`${key}\` must be text`);
  const text = typeof value === 'string' ? value : (source ?? '');
  return text.includes('\0') ? field.note(`\`${key}\` contains a NUL character`) : text;
};

/** Tags of plain values. Excludes `!!binary` and custom tags. */
const textTags = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null))$/;

const typeOf = (field: Field): SignalType | undefined => {
  const text = textOf(field, 'type')?.trim().toUpperCase();
  if (text === undefined) return field.note(`has no type; add \`type:\` with one of ${typeNames.join(', ')}`);
  const type = signalTypeSchema.safeParse(text === 'STOP' ? 'ABORT' : text).data;
  return type ?? field.note(`has an unknown type, ${quote(text)}; use one of ${typeNames.join(', ')}`);
};

const typeNames = signalTypeSchema.options;

/** The prompt agents use plain `Ralph-v2` for the orchestrator. */
const targetOf = (field: Field): Target | undefined => {
  const text = textOf(field, 'target')?.trim();
  if (text === undefined || text === '' || text.toUpperCase() === 'ALL') return 'ALL';
  const name = bareName(text);
  // A worker of a team is an Executor.
  if (workerSchema.safeParse(name).success) return 'Executor';
  const agent = agentSchema.options.find((option) => option.toLowerCase() === (name || 'orchestrator'));
  return agent ?? field.note(`has an unknown target, ${quote(text)}; use ALL or one of ${agentNames}`);
};

const bareName = (text: string): string =>
  text.replace(/^ralph(?:-v\d+(?:\.\d+)*)?(?:-|$)/i, '').toLowerCase();

/** `worker: builder-2`, or that as the target. */
const workerOf = (field: Field): string | undefined => {
  const text = textOf(field, 'worker')?.trim();
  const target = textOf(field, 'target');
  if (text === undefined || text === '')
    return target === undefined ? undefined : workerSchema.safeParse(bareName(target.trim())).data;
  const worker = workerSchema.safeParse(text.toLowerCase()).data;
  return (
    worker ??
    field.note(`${quote(text)} is not a worker; use a worker such as builder-2 or a role such as builder`)
  );
};

const agentNames = agentSchema.options.map((agent) => `Ralph-${agent}`).join(', ');

const numberOf = (field: Field, key: 'iteration' | 'attempt'): number | undefined => {
  const text = textOf(field, key)?.trim();
  if (text === undefined || text === '') return undefined;
  return /^[1-9]\d{0,8}$/.test(text)
    ? Number(text)
    : field.note(`\`${key}\` must be a whole number of 1 or more, not ${quote(text)}`);
};

const taskOf = (field: Field): string | undefined => {
  const text = textOf(field, 'task')?.trim();
  if (text === undefined || text === '') return undefined;
  return taskIdSchema.safeParse(text).success ? text : field.note(`${quote(text)} is not a task id`);
};

const applyOf = (field: Field): SteerVerdict | undefined => {
  const text = textOf(field, 'apply')?.trim().toLowerCase();
  if (text === undefined || text === '') return undefined;
  const verdict = verdictSchema.safeParse(text).data;
  return (
    verdict ?? field.note(`\`apply\` must be one of ${verdictSchema.options.join(', ')}, not ${quote(text)}`)
  );
};

const flagOf = (field: Field, key: 'resume' | 'now'): boolean | undefined => {
  const text = textOf(field, key)?.trim().toLowerCase();
  if (text === undefined || text === '') return undefined;
  if (/^(?:true|yes|on)$/.test(text)) return true;
  return /^(?:false|no|off)$/.test(text)
    ? false
    : field.note(`\`${key}\` must be true or false, not ${quote(text)}`);
};

const promoteOf = (field: Field): readonly string[] | undefined => {
  const node = field.get('promote');
  if (!isSeq(node)) {
    const one = textOf(field, 'promote');
    return one === undefined ? undefined : [one];
  }
  const names = node.items.map((item) =>
    isScalar(item) && typeof item.value === 'string' ? item.value : null,
  );
  return names.every((name) => name !== null)
    ? names
    : field.note('`promote` must be a list of files of lessons, each a string');
};

/** Accepts dotted keys, or nested ones as in a configuration file. */
const setOf = (field: Field): Readonly<Record<string, unknown>> | undefined => {
  const node = field.get('set');
  if (node === undefined || (isScalar(node) && node.value === null)) return undefined;
  if (!isMap(node)) return field.note('`set` must be a mapping of settings');
  const entries: [string, unknown][] = [];
  const collect = (map: typeof node, path: string): void => {
    for (const { key, value } of map.items) {
      const name = `${path}${isScalar(key) ? String(key.value) : '?'}`;
      if (isMap(value)) collect(value, `${name}.`);
      else entries.push([name, readLiveSetting(name, isScalar(value) ? value.value : value)]);
    }
  };
  collect(node, '');
  return Object.fromEntries(entries);
};

/**
 * The signal that a reader of the mailbox makes of this one: the prompt agents skip promotion by an INFO to the Librarian (src/signals/README.md, "Lenient
 * reading").
 */
export const asRead = (signal: Signal): Signal => {
  const prefix = 'SKIP_PROMOTION:';
  if (signal.type !== 'INFO' || signal.target !== 'Librarian') return signal;
  const message = signal.message?.trimStart();
  if (!message?.startsWith(prefix)) return signal;
  return { ...signal, type: 'SKIP', message: message.slice(prefix.length).trim() };
};

/** Quotes enough of a foreign value to recognise it. */
const quote = (text: string): string => `"${safe(text.length > 40 ? `${text.slice(0, 40)}…` : text)}"`;
