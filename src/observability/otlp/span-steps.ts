import type { Event, EventOf, EventType } from '../../pipeline/event.ts';
import { names, operations } from './names.ts';

type Attributes = { readonly [name: string]: string | number | boolean };

/** A step in the making of a trace. Spans have keys; times are milliseconds since the epoch. */
export type SpanStep =
  | {
      readonly kind: 'begin';
      readonly key: string;
      /** `null`: the root. */
      readonly parent: string | null;
      readonly name: string;
      readonly at: number;
      readonly attributes: Attributes;
    }
  | { readonly kind: 'set'; readonly key: string; readonly attributes: Attributes }
  | {
      readonly kind: 'end';
      readonly key: string;
      readonly at: number;
      /** Why it failed, in one word; `null` for success. */
      readonly error: string | null;
      readonly attributes: Attributes;
    }
  /** An event of a span. */
  | {
      readonly kind: 'note';
      readonly key: string;
      readonly name: string;
      readonly at: number;
      readonly attributes: Attributes;
    };

export const rootKey = 'session';

/** What the spans of one session need to remember. */
interface Trace {
  readonly session: string;
  mode: string;
  /** Tokens used so far, by invocation. */
  readonly tokens: Map<string, { input: number; output: number }>;
}

type Step<T extends EventType> = (event: EventOf<T>, trace: Trace, at: number) => readonly SpanStep[];

/** The steps of each event type. One that is not named makes none. */
const steps: { readonly [T in EventType]?: Step<T> } = {
  'session.created': ({ mode = 'waves' }, trace) => {
    trace.mode = mode;
    return [];
  },
  'session.started': (_event, { session, mode }, at) => [
    {
      kind: 'begin',
      key: rootKey,
      parent: null,
      name: `${operations.session} ${mode}`,
      at,
      attributes: {
        [names.operation]: operations.session,
        [names.workflow]: mode,
        [names.conversation]: session,
      },
    },
  ],
  'session.stopped': ({ exit_code, status }, _trace, at) => [
    {
      kind: 'end',
      key: rootKey,
      at,
      error: exit_code === 0 ? null : status,
      attributes: { [names.status]: status },
    },
  ],
  'invocation.started': (event, { session }, at) => {
    const operation = event.role === 'Planner' ? operations.planner : operations.agent;
    return [
      {
        kind: 'begin',
        key: event.invocation,
        parent: rootKey,
        name: `${operation} ${event.backend}`,
        at,
        attributes: {
          [names.operation]: operation,
          [names.agentName]: event.backend,
          [names.agentId]: event.invocation,
          [names.provider]: event.backend,
          [names.conversation]: session,
          [names.role]: event.role,
          [names.mode]: event.mode,
          ...(event.task === undefined ? {} : { [names.task]: event.task }),
          ...(event.attempt === undefined ? {} : { [names.attempt]: event.attempt }),
        },
      },
    ];
  },
  'agent.connected': ({ invocation, label, version, model }) => [
    {
      kind: 'set',
      key: invocation,
      attributes: {
        [names.agentName]: label,
        ...(version === undefined ? {} : { [names.agentVersion]: version }),
        ...(model === undefined ? {} : { [names.model]: model }),
      },
    },
  ],
  'reply.ended': ({ invocation, tokens }, trace) => {
    if (tokens === undefined) return [];
    const used = trace.tokens.get(invocation) ?? { input: 0, output: 0 };
    used.input += tokens.input;
    used.output += tokens.output;
    trace.tokens.set(invocation, used);
    return [];
  },
  'invocation.ended': ({ invocation, outcome }, trace, at) =>
    workEnds(trace, invocation, at, outcome.status === 'failed' ? 'failed' : null),
  'invocation.failed': ({ invocation, kind }, trace, at) => workEnds(trace, invocation, at, kind),
  'invocation.interrupted': ({ invocation, reason }, trace, at) => workEnds(trace, invocation, at, reason),
  'tool.started': ({ invocation, call, kind }, _trace, at) => [toolStep(invocation, call, kind, at)],
  'tool.ended': ({ invocation, call, ok, refused }, _trace, at) =>
    ends(`${invocation} ${call}`, at, ok ? null : refused ? 'refused' : 'failed'),
  'command.started': ({ invocation, purpose, index }, _trace, at) => [
    toolStep(invocation, `${purpose}-${index}`, 'command', at, `$${index}`),
  ],
  'command.ended': ({ invocation, index, ok }, _trace, at) =>
    ends(`${invocation} $${index}`, at, ok ? null : 'failed'),
  'signal.pending': ({ type, pending }, _trace, at) => [note(type, at, pending.id, pending.signal.type)],
  'signal.claimed': (event, _trace, at) => [signalNote(event, at)],
  'signal.handled': (event, _trace, at) => [signalNote(event, at)],
  'signal.undelivered': (event, _trace, at) => [signalNote(event, at)],
  'signal.withdrawn': (event, _trace, at) => [signalNote(event, at)],
};

type EventMap = { readonly [T in EventType]: EventOf<T> };

const stepsOf = <T extends EventType>(type: T, event: EventMap[T], trace: Trace): readonly SpanStep[] =>
  steps[type]?.(event, trace, Date.parse(event.at)) ?? [];

/** Folds a host's events into the spans of one trace: the session, the work of agents in it, and their tool calls. Holds no text of agents. */
export const createSpanSteps = (session: string): ((event: Event) => readonly SpanStep[]) => {
  const trace: Trace = { session, mode: 'waves', tokens: new Map() };
  return (event) => stepsOf(event.type, event, trace);
};

const ends = (
  key: string,
  at: number,
  error: string | null,
  attributes: Attributes = {},
): readonly SpanStep[] => [{ kind: 'end', key, at, error, attributes }];

/** The end of an invocation, with the tokens that it used. */
const workEnds = (
  { tokens }: Trace,
  invocation: string,
  at: number,
  error: string | null,
): readonly SpanStep[] => {
  const used = tokens.get(invocation);
  tokens.delete(invocation);
  const usage = used ? { [names.inputTokens]: used.input, [names.outputTokens]: used.output } : {};
  return ends(invocation, at, error, usage);
};

const toolStep = (invocation: string, call: string, tool: string, at: number, own = call): SpanStep => ({
  kind: 'begin',
  key: `${invocation} ${own}`,
  parent: invocation,
  name: `${operations.tool} ${tool}`,
  at,
  attributes: {
    [names.operation]: operations.tool,
    [names.toolName]: tool,
    [names.toolCall]: call,
  },
});

const note = (name: string, at: number, id: string, type: string): SpanStep => ({
  kind: 'note',
  key: rootKey,
  name,
  at,
  attributes: { [names.signalId]: id, [names.signal]: type },
});

const signalNote = (
  {
    type,
    id,
    signal,
  }: EventOf<'signal.claimed' | 'signal.handled' | 'signal.undelivered' | 'signal.withdrawn'>,
  at: number,
): SpanStep => note(type, at, id, signal.type);
