import type { SessionState } from '../../../src/pipeline/state.ts';
import type { CreateGuard } from './guard.ts';

/** No task runs before its blockers are done, and nothing at all starts while the session is held, asks a person or is aborted. */
export const guardWork: CreateGuard = ({ say }) => ({
  see: (event, state) => {
    const at = `event ${event.seq}`;
    if (event.type === 'invocation.started') {
      if (event.mode === 'IMPLEMENT')
        for (const blocker of state.tasks.get(event.task ?? '')?.definition.blockedBy ?? [])
          if (!isDone(state, blocker)) say(`${at}: ${event.task} started before ${blocker} was done`);
      const why = restOf(state);
      if (why) say(`${at}: ${event.invocation} started while ${why}`);
    }
    const works = event.type === 'process.started' || event.type === 'command.started';
    if (works && state.hold?.stage === 'paused') say(`${at}: ${event.type} while paused`);
  },
});

/** No model is called while the session is paused or waits for a person: waiting costs nothing. */
export const guardCalls: CreateGuard = ({ say }) => ({
  turn: (invocation, state) => {
    const why = state.hold?.stage === 'pausing' ? null : restOf(state);
    if (why) say(`event ${state.seq}: the agent of ${invocation} was called while ${why}`);
  },
});

const restOf = (state: SessionState): string | null => {
  if (state.abort) return 'aborted';
  if (state.hold) return `held (${state.hold.stage})`;
  if (state.gate) return `the ${state.gate.gate} gate waits`;
  return state.running ? null : 'not running';
};

const isDone = (state: SessionState, id: string): boolean => {
  const task = state.tasks.get(id);
  const parts = task?.definition.replaced_by ?? [];
  return parts.length > 0 ? parts.every((part) => isDone(state, part)) : task?.status === 'done';
};
