import type { Event } from '../../pipeline/event.ts';
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

/** Folds a host's events into the spans of one trace: the session, the work of agents in it, and their tool calls. Holds no text of agents. */
export const createSpanSteps = (session: string): ((event: Event) => readonly SpanStep[]) => {
  const tokens = new Map<string, { input: number; output: number }>();
  let mode = 'waves';
  const endOf = (invocation: string, at: number, error: string | null): SpanStep => {
    const used = tokens.get(invocation);
    tokens.delete(invocation);
    const usage = used ? { [names.inputTokens]: used.input, [names.outputTokens]: used.output } : {};
    return { kind: 'end', key: invocation, at, error, attributes: usage };
  };
  return (event) => {
    const at = Date.parse(event.at);
    switch (event.type) {
      case 'session.created':
        mode = event.mode ?? 'waves';
        return [];
      case 'session.started':
        return [
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
        ];
      case 'session.stopped':
        return [
          {
            kind: 'end',
            key: rootKey,
            at,
            error: event.exit_code === 0 ? null : event.status,
            attributes: { [names.status]: event.status },
          },
        ];
      case 'invocation.started': {
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
      }
      case 'agent.connected':
        return [
          {
            kind: 'set',
            key: event.invocation,
            attributes: {
              [names.agentName]: event.label,
              ...(event.version === undefined ? {} : { [names.agentVersion]: event.version }),
              ...(event.model === undefined ? {} : { [names.model]: event.model }),
            },
          },
        ];
      case 'reply.ended': {
        if (event.tokens === undefined) return [];
        const used = tokens.get(event.invocation) ?? { input: 0, output: 0 };
        used.input += event.tokens.input;
        used.output += event.tokens.output;
        tokens.set(event.invocation, used);
        return [];
      }
      case 'invocation.ended':
        return [endOf(event.invocation, at, event.outcome.status === 'failed' ? 'failed' : null)];
      case 'invocation.failed':
        return [endOf(event.invocation, at, event.kind)];
      case 'invocation.interrupted':
        return [endOf(event.invocation, at, event.reason)];
      case 'tool.started':
        return [toolStep(event.invocation, event.call, event.kind, at)];
      case 'tool.ended':
        return [
          {
            kind: 'end',
            key: `${event.invocation} ${event.call}`,
            at,
            error: event.ok ? null : event.refused ? 'refused' : 'failed',
            attributes: {},
          },
        ];
      case 'command.started':
        return [
          toolStep(event.invocation, `${event.purpose}-${event.index}`, 'command', at, `$${event.index}`),
        ];
      case 'command.ended':
        return [
          {
            kind: 'end',
            key: `${event.invocation} $${event.index}`,
            at,
            error: event.ok ? null : 'failed',
            attributes: {},
          },
        ];
      case 'signal.pending':
        return [note(event.type, at, event.pending.id, event.pending.signal.type)];
      case 'signal.claimed':
      case 'signal.handled':
      case 'signal.undelivered':
      case 'signal.withdrawn':
        return [note(event.type, at, event.id, event.signal.type)];
      default:
        return [];
    }
  };
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
