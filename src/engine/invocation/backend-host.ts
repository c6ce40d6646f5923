import { askWords } from '../../agents/permissions.ts';
import type { Backend, BackendHost, Brief } from '../../agents/port.ts';
import type { Active } from './active.ts';
import type { InvocationContext } from './invocation-context.ts';
import { longestText } from './permission-record.ts';
import { emit } from './role-port.ts';
import { startAhead } from './start-ahead.ts';

/** The functions that the engine lends to the worker of one invocation. */
export const backendHost = (
  context: InvocationContext,
  active: Active,
  brief: Brief,
  backend: Backend,
): BackendHost => {
  const { core, permissions, tools } = context;
  const heard = (): void => {
    active.alive = core.options.clock.monotonic();
  };
  const tell: BackendHost['emit'] = (fact) => {
    emit(context, active, fact);
    if (fact.type === 'prompt.sent' && fact.index === 0 && brief.runner === undefined)
      startAhead(context, active, brief, { emit: tell });
  };
  return {
    emit: tell,
    session: tools.of(brief),
    heard,
    output: (bytes, stream) => {
      if (active.over) return;
      heard();
      active.log.write(bytes, stream);
    },
    permission: async (ask, over) => {
      const answer = await permissions.ask(active, backend.name, ask, over);
      active.refused = answer === 'refuse' ? askWords(ask).slice(0, longestText) : null;
      heard();
      return answer;
    },
    held: () => permissions.held(active),
    released: () => permissions.released(active),
  };
};
