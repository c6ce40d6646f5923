import type { EventOf } from '../event.ts';
import type { HandlersOf } from '../handler.ts';
import { editInvocation } from './edit-invocation.ts';

/** The commands and processes of invocations. */
export const commands: HandlersOf<
  'command.started' | 'process.started' | 'command.ended' | 'processes.stopped' | 'output.written'
> = {
  'command.started': (state, event, own) =>
    editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      command: {
        index: event.index,
        of: event.of,
        text: typeof event.command.cmd === 'string' ? event.command.cmd : event.command.cmd.join(' '),
        since: event.at,
        pid: null,
      },
      commandsLeft: leftAfter(event),
    })),

  'process.started': (state, event, own) =>
    editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      command: invocation.command && { ...invocation.command, pid: event.pid },
    })),

  'command.ended': (state, event, own) =>
    editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      command: null,
    })),

  'processes.stopped': (state) => (state.abort ? { abort: { ...state.abort, stopped: true } } : null),

  'output.written': () => null,
};

/** Checks follow the work. */
const leftAfter = ({ purpose, index, of }: EventOf<'command.started'>): number | null => {
  if (purpose === 'setup') return null;
  return purpose === 'verify' ? 0 : of - index - 1;
};
