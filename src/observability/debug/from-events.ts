import { commandText } from '../../agents/command-text.ts';
import type { Event } from '../../pipeline/event.ts';
import { type DebugRecord, plainRecord } from './debug-record.ts';

type Record = Omit<DebugRecord, 'ts'>;

/** Makes records from the events of a host: tool calls and commands when they end, agents when their work or a reply does. */
export const createEventRecords = (): ((event: Event) => Record | null) => {
  const begun = new Map<
    string,
    { readonly at: string; readonly name: string; readonly params: Record['params'] }
  >();
  const take = (key: string) => {
    const found = begun.get(key);
    begun.delete(key);
    return found ?? null;
  };
  const since = (event: Event, found: { readonly at: string } | null): number | null =>
    found === null ? null : Math.max(0, Date.parse(event.at) - Date.parse(found.at));
  return (event) => {
    switch (event.type) {
      case 'tool.started':
        begun.set(`${event.invocation} ${event.call}`, {
          at: event.at,
          name: event.kind,
          params: { ...placeOf(event), title: event.title, paths: event.paths },
        });
        return null;
      case 'tool.ended': {
        const found = take(`${event.invocation} ${event.call}`);
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
      }
      case 'command.started':
        begun.set(`${event.invocation} $${event.index}`, {
          at: event.at,
          name: 'command',
          params: { ...placeOf(event), purpose: event.purpose, command: commandText(event.command) },
        });
        return null;
      case 'command.ended': {
        const found = take(`${event.invocation} $${event.index}`);
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
      }
      case 'invocation.started':
        begun.set(event.invocation, {
          at: event.at,
          name: event.backend,
          params: { ...placeOf(event), role: event.role, mode: event.mode },
        });
        return null;
      case 'reply.ended':
        return {
          ...plainRecord('agent', begun.get(event.invocation)?.name ?? 'agent', 'reply'),
          params: { ...placeOf(event), stop: event.stop },
          duration_ms: event.duration_ms,
          ok: event.stop === 'end_turn',
          ...(event.stop === 'end_turn'
            ? {}
            : { error: `the reply ended: ${event.stop}`, error_type: event.stop }),
        };
      case 'invocation.ended': {
        const found = take(event.invocation);
        const { status } = event.outcome;
        const failed = status === 'failed' || status === 'blocked';
        return {
          ...ofAgent(found, 'work'),
          duration_ms: since(event, found),
          ok: !failed,
          ...(failed ? { error: `the work ended ${status}`, error_type: status } : {}),
        };
      }
      case 'invocation.failed': {
        const found = take(event.invocation);
        return {
          ...ofAgent(found, 'work'),
          duration_ms: since(event, found),
          ok: false,
          error: event.fault.what,
          error_type: event.fault.code,
          rate_limit: event.kind === 'quota',
        };
      }
      case 'invocation.interrupted': {
        const found = take(event.invocation);
        return {
          ...ofAgent(found, 'work'),
          duration_ms: since(event, found),
          ok: false,
          error: `interrupted: ${event.reason}`,
          error_type: 'interrupted',
        };
      }
      default:
        return null;
    }
  };
};

const ofAgent = (
  found: { readonly name: string; readonly params: Record['params'] } | null,
  event: string,
): Record => ({ ...plainRecord('agent', found?.name ?? 'agent', event), params: found?.params ?? {} });

const placeOf = (event: {
  readonly invocation: string;
  readonly task?: string | undefined;
  readonly attempt?: number | undefined;
}): Record['params'] => ({
  invocation: event.invocation,
  ...(event.task === undefined ? {} : { task: event.task }),
  ...(event.attempt === undefined ? {} : { attempt: event.attempt }),
});
