import { isComplete } from '../../../session/status.ts';
import type { TaskId } from '../../../tasks/task.ts';
import type { EventOf } from '../../event.ts';
import type { Patch } from '../../handler.ts';
import type { SessionState } from '../../state.ts';
import type { LoopState } from './turn-record.ts';
import { lastTurn, turnId } from './turns.ts';

/** A loop has no plan: its tasks are its turns. */
export const created = (event: EventOf<'session.created'>): Patch => ({
  planItems: new Map(),
  loop: {
    focus: event.focus ?? null,
    looks: [],
    looking: null,
    decisions: [],
    stop: null,
    timeUp: false,
    used: { turns: 0, ms: 0 },
  },
});

/** A resumed loop looks again and continues. An ended one only repeats its end, unless a person reopens a turn. */
export const started = (state: SessionState): Patch => {
  const { loop } = state;
  if (loop === null) return null;
  // A program that died after deciding a stop reports it now.
  const stop = state.running || isComplete(state) ? loop.stop : null;
  return { loop: { ...loop, looking: null, stop, timeUp: false, used: usedBefore(state, loop) } };
};

/** A limit that stopped the loop is granted again. After any other stop, and after a crash, it continues to count. */
const usedBefore = (state: SessionState, loop: LoopState): LoopState['used'] => {
  const isLimit = loop.stop?.condition === 'turns' || loop.stop?.condition === 'runtime' || loop.timeUp;
  return isLimit && !state.running ? { turns: lastTurn(state), ms: state.spentMs } : loop.used;
};

/**
 * A reopened turn takes back the decision to stop. The engine looks at and decides about the newest turn again. After an
 * older one the next turn follows, unless a limit stops the loop.
 */
export const reopened = (state: SessionState, task: TaskId): Patch => {
  const { loop } = state;
  if (loop === null) return null;
  const newest = lastTurn(state);
  const again = task === turnId(newest);
  const kept = <T extends { readonly turn: number }>(records: readonly T[]): readonly T[] =>
    again ? records.filter(({ turn }) => turn < newest) : records;
  return {
    ...(isComplete(state) ? { status: 'in_progress', stopReason: null } : {}),
    loop: { ...loop, stop: null, looks: kept(loop.looks), decisions: kept(loop.decisions) },
  };
};
