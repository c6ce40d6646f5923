import { z } from 'zod';
import type { Fault, Parsed } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';
import { editYaml, formatYaml } from '../tasks/yaml-edit.ts';
import { parseYaml } from '../tasks/yaml-text.ts';
import { type SessionStatus, type StateName, sessionStatusSchema, stateNameSchema } from './status.ts';

/** `metadata.yaml`, the state machine's record (src/session/README.md), in our form. Every timestamp is ISO 8601 with offset. */
export interface Metadata {
  /** A counter, +1 on every write. */
  readonly version: number;
  readonly session_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: SessionStatus;
  readonly iteration: number;
  readonly orchestrator: {
    readonly state: StateName;
    readonly current_wave: number | null;
    readonly previous_state: StateName | null;
    readonly paused: { readonly since: string; readonly signal: string | null; readonly by: string } | null;
    readonly deadline: string | null;
    readonly stop_reason: string | null;
  };
  readonly tasks: TaskTotals;
  readonly journal_seq: number;
}

interface TaskTotals {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  readonly cancelled: number;
}

/** The readable part of a `metadata.yaml` from any writer; `null` for every unusable value. */
export interface ReadMetadata {
  readonly version: number | null;
  readonly session_id: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly status: SessionStatus | null;
  readonly iteration: number | null;
  readonly state: StateName | null;
  readonly current_wave: number | null;
  readonly previous_state: StateName | null;
  readonly paused: { readonly since: string; readonly signal: string | null; readonly by: string } | null;
  readonly deadline: string | null;
  readonly stop_reason: string | null;
  readonly tasks: TaskTotals | null;
  readonly journal_seq: number | null;
}

/**
 * Reads the forms that real agents have written: quoted scalars, `state:` at the root, `COMPLETED`, other spellings of a status. Never refuses.
 * An odd value is a problem that names the line.
 */
export const parseMetadata = (text: string, file = 'metadata.yaml'): Parsed<ReadMetadata> => {
  const { value: yaml, problems: found } = parseYaml(text, file);
  const problems: Fault[] = [...found];
  const root = isRecord(yaml.value) ? yaml.value : {};
  if (!isRecord(yaml.value) && found.length === 0) {
    problems.push({ code: 'metadata-shape', what: 'is not a map', where: file });
  }
  const machine = isRecord(root['orchestrator']) ? root['orchestrator'] : {};
  /** Our keys are under `orchestrator`. Agents have also put them at the root. */
  const entry = (key: string): { readonly value: unknown; readonly path: readonly string[] } =>
    machine[key] === undefined
      ? { value: root[key], path: [key] }
      : { value: machine[key], path: ['orchestrator', key] };
  const odd = (path: readonly string[], value: unknown, wanted: string): null => {
    const what = `${path.join('.')}: ${JSON.stringify(value)?.slice(0, 60)} is not ${wanted}`;
    problems.push({ code: 'metadata-value', what, where: `${file}:${yaml.line(path)}` });
    return null;
  };
  const state = (key: string): StateName | null => {
    const { value, path } = entry(key);
    if (value === undefined || value === null || value === '') return null;
    return stateOf(value) ?? odd(path, value, 'a known state');
  };
  const status = root['status'];
  return {
    value: {
      version: whole(root['version']),
      session_id: textOf(root['session_id']),
      created_at: textOf(root['created_at']),
      updated_at: textOf(root['updated_at']),
      status:
        status === undefined || status === null
          ? null
          : (statusOf(status) ?? odd(['status'], status, 'a known status')),
      iteration: whole(root['iteration']) ?? whole(machine['iteration']),
      state: state('state'),
      current_wave: whole(entry('current_wave').value),
      previous_state: state('previous_state'),
      paused: pausedOf(entry('paused').value),
      deadline: textOf(entry('deadline').value),
      stop_reason: textOf(entry('stop_reason').value),
      tasks: totalsOf(root['tasks']),
      journal_seq: whole(root['journal_seq']),
    },
    problems,
  };
};

/** Accepts `COMPLETED`, lower case, spaces and dashes. CURATE is the name of the knowledge gate in later versions. */
const stateOf = (value: unknown): StateName | null => {
  const name = String(value)
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  const known: Readonly<Record<string, StateName>> = {
    COMPLETED: 'COMPLETE',
    DONE: 'COMPLETE',
    CURATE: 'KNOWLEDGE_APPROVAL',
    EXECUTING: 'EXECUTING_BATCH',
    REVIEWING: 'REVIEWING_BATCH',
  };
  return known[name] ?? stateNameSchema.safeParse(name).data ?? null;
};

const statusOf = (value: unknown): SessionStatus | null => {
  const name = String(value)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const known: Readonly<Record<string, SessionStatus>> = {
    complete: 'completed',
    done: 'completed',
    active: 'in_progress',
    running: 'in_progress',
    in_progess: 'in_progress',
    awaiting: 'awaiting_feedback',
    cancelled: 'aborted',
  };
  return known[name] ?? sessionStatusSchema.safeParse(name).data ?? null;
};

/** A whole number, even a quoted one. */
export const whole = (value: unknown): number | null => {
  if (typeof value === 'string' && !/^\s*\d{1,15}\s*$/.test(value)) return null;
  const checked = wholeSchema.safeParse(value ?? undefined);
  return checked.success && typeof value !== 'boolean' ? checked.data : null;
};

const wholeSchema = z.coerce.number().int().min(0);

/** A non-empty text, or null. */
export const textOf = (value: unknown): string | null =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : null;

const pausedOf = (value: unknown): Metadata['orchestrator']['paused'] => {
  if (!isRecord(value)) return null;
  const since = textOf(value['since']);
  return since === null
    ? null
    : { since, signal: textOf(value['signal']), by: textOf(value['by']) ?? 'unknown' };
};

const totalsOf = (value: unknown): TaskTotals | null =>
  isRecord(value)
    ? {
        total: whole(value['total']) ?? 0,
        completed: whole(value['completed']) ?? 0,
        failed: whole(value['failed']) ?? 0,
        pending: whole(value['pending']) ?? 0,
        cancelled: whole(value['cancelled']) ?? 0,
      }
    : null;

/** A new `metadata.yaml`. */
export const formatMetadata = (metadata: Metadata): string => formatYaml({ ...metadata });

/** Formats the values read as we would have written them; null when one is missing. */
export const reprintMetadata = (read: ReadMetadata): string | null => {
  const { version, session_id, created_at, updated_at, status, iteration, state, tasks, journal_seq } = read;
  if (version === null || session_id === null || created_at === null || updated_at === null) return null;
  if (status === null || iteration === null || state === null || tasks === null || journal_seq === null)
    return null;
  const { current_wave, previous_state, paused, deadline, stop_reason } = read;
  const orchestrator = { state, current_wave, previous_state, paused, deadline, stop_reason };
  return formatMetadata({
    version,
    session_id,
    created_at,
    updated_at,
    status,
    iteration,
    orchestrator,
    tasks,
    journal_seq,
  });
};

/** Sets our keys in the file. Comments and unknown keys survive. */
export const editMetadata = (text: string, metadata: Metadata): string =>
  text.trim() === '' ? formatMetadata(metadata) : editYaml(text, { ...metadata });

/** One key that a person changed: a dotted key such as `orchestrator.state`, and its value in the file now. */
interface HandEdit {
  readonly key: string;
  readonly value: unknown;
}

/** The differences between the file and our last version, key by key (src/session/README.md, Writing). */
export const handEdits = (written: string, found: string): readonly HandEdit[] => {
  const before = leaves(parseYaml(written, '').value.value);
  const now = leaves(parseYaml(found, '').value.value);
  const keys = new Set([...before.keys(), ...now.keys()]);
  return [...keys]
    .filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(now.get(key)))
    .map((key) => ({ key, value: now.get(key) ?? null }));
};

const leaves = (
  value: unknown,
  path = '',
  found = new Map<string, unknown>(),
): ReadonlyMap<string, unknown> => {
  if (isRecord(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value))
      leaves(inner, path === '' ? key : `${path}.${key}`, found);
  } else if (path !== '') found.set(path, value);
  return found;
};
