import { commandText } from '../../agents/command-text.ts';
import type { Event, EventOf, EventType } from '../../pipeline/event.ts';
import { type DebugRecord, plainRecord } from './debug-record.ts';

type Record = Omit<DebugRecord, 'ts'>;

/** What began, until it ends. */
interface Begun {
  readonly at: string;
  readonly name: string;
  readonly params: Record['params'];
}

/** By invocation, tool call or command. */
type Open = Map<string, Begun>;

/** The record of each event type; `null` where a later event makes it. A type that is not named has none. */
const records: { readonly [T in EventType]?: (event: EventOf<T>, open: Open) => Record | null } = {
  'tool.started': (event, open) =>
    begins(open, `${event.invocation} ${event.call}`, {
      at: event.at,
      name: event.kind,
      params: { ...placeOf(event), title: event.title, paths: event.paths },
    }),
  'tool.ended': (event, open) => {
    const found = take(open, `${event.invocation} ${event.call}`);
    const blocked = event.refused === true;
    return {
      ...plainRecord('tool', found?.name ?? 'other', 'call'),
      params: found?.params ?? placeOf(event),
      duration_ms: event.duration_ms,
      ok: event.ok,
      error: event.ok ? null : blocked ? 'refused' : (event.title ?? 'the tool reported a failure'),
      error_type: event.ok ? null : blocked ? 'refused' : 'tool-failed',
      blocked,
    };
  },
  'command.started': (event, open) =>
    begins(open, `${event.invocation} $${event.index}`, {
      at: event.at,
      name: 'command',
      params: { ...placeOf(event), purpose: event.purpose, command: commandText(event.command) },
    }),
  'command.ended': (event, open) => {
    const found = take(open, `${event.invocation} $${event.index}`);
    const code = /^(?:exit )?(\d+)$/.exec(event.exit)?.[1];
    return {
      ...plainRecord('tool', 'command', 'command'),
      params: found?.params ?? placeOf(event),
      duration_ms: event.duration_ms,
      ok: event.ok,
      error: event.ok ? null : `ended with ${event.exit}`,
      error_type: event.ok ? null : 'command-failed',
      exit_code: code === undefined ? null : Number(code),
    };
  },
  'invocation.started': (event, open) =>
    begins(open, event.invocation, {
      at: event.at,
      name: event.backend,
      params: { ...placeOf(event), role: event.role, mode: event.mode },
    }),
  'reply.ended': (event, open) => ({
    ...plainRecord('agent', open.get(event.invocation)?.name ?? 'agent', 'reply'),
    params: { ...placeOf(event), stop: event.stop },
    duration_ms: event.duration_ms,
    ok: event.stop === 'end_turn',
    ...(event.stop === 'end_turn' ? {} : { error: `the reply ended: ${event.stop}`, error_type: event.stop }),
  }),
  'invocation.ended': (event, open) => {
    const { status } = event.outcome;
    const failed = status === 'failed' || status === 'blocked';
    return {
      ...workOf(open, event),
      ok: !failed,
      ...(failed ? { error: `the work ended with the status ${status}`, error_type: status } : {}),
    };
  },
  'invocation.failed': (event, open) => ({
    ...workOf(open, event),
    ok: false,
    error: event.fault.what,
    error_type: event.fault.code,
    rate_limit: event.kind === 'quota',
  }),
  'invocation.interrupted': (event, open) => ({
    ...workOf(open, event),
    ok: false,
    error: `interrupted: ${event.reason}`,
    error_type: 'interrupted',
  }),
};

type EventMap = { readonly [T in EventType]: EventOf<T> };

const recordOf = <T extends EventType>(type: T, event: EventMap[T], open: Open): Record | null =>
  records[type]?.(event, open) ?? null;

/** Makes records from the events of a host: tool calls and commands when they end, agents when their work or a reply does. */
export const createEventRecords = (): ((event: Event) => Record | null) => {
  const open: Open = new Map();
  return (event) => recordOf(event.type, event, open);
};

const begins = (open: Open, key: string, begun: Begun): null => {
  open.set(key, begun);
  return null;
};

const take = (open: Open, key: string): Begun | null => {
  const found = open.get(key) ?? null;
  open.delete(key);
  return found;
};

/** An invocation that is over, and how long it took. */
const workOf = (open: Open, event: { readonly invocation: string; readonly at: string }): Record => {
  const found = take(open, event.invocation);
  return {
    ...plainRecord('agent', found?.name ?? 'agent', 'work'),
    params: found?.params ?? {},
    duration_ms: found === null ? null : Math.max(0, Date.parse(event.at) - Date.parse(found.at)),
  };
};

const placeOf = (event: {
  readonly invocation: string;
  readonly task?: string | undefined;
  readonly attempt?: number | undefined;
}): Record['params'] => ({
  invocation: event.invocation,
  ...(event.task === undefined ? {} : { task: event.task }),
  ...(event.attempt === undefined ? {} : { attempt: event.attempt }),
});
