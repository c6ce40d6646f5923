import { change, drop, type Owned, put } from '../maps.ts';
import { slotOf } from '../slot.ts';
import type { Invocation, SessionState } from '../state.ts';

/**
 * Removes an ended invocation whose result the current event settles. Also ends its retries
 * and counts turns without result in a row. A running one stays: only its own end removes it.
 */
export const settle = (
  state: SessionState,
  own: Owned,
  id: string | null | undefined,
): Partial<Pick<SessionState, 'invocations' | 'retries' | 'noResults' | 'lostWords'>> => {
  const invocation = id ? state.invocations.get(id) : undefined;
  if (!id || !invocation || invocation.stage === 'running') return {};
  const slot = slotOf(invocation.mode, invocation.task);
  const empty = invocation.failure?.kind === 'no-result' && !invocation.stale;
  return {
    invocations: drop(own, state.invocations, id),
    retries: drop(own, state.retries, slot),
    noResults: empty
      ? put(own, state.noResults, slot, (state.noResults.get(slot) ?? 0) + 1)
      : drop(own, state.noResults, slot),
    lostWords: isLost(invocation) ? put(own, state.lostWords, slot, invocation.messages) : state.lostWords,
  };
};

/** Its work is done again by another one, which must hear what it heard. The task of an Executor keeps that itself. */
const isLost = ({ mode, stage, interruption, stale, messages }: Invocation): boolean =>
  mode !== 'IMPLEMENT' &&
  !stale &&
  messages.length > 0 &&
  (stage === 'failed' || interruption === 'crash' || interruption === 'quit');

/** Marks invocations of the task as stale: their results will be dropped. */
export const markStale = (
  state: SessionState,
  own: Owned,
  task: string,
): Pick<SessionState, 'invocations'> => {
  let invocations = state.invocations;
  for (const [id, invocation] of state.invocations)
    if (invocation.task === task)
      invocations = change(own, invocations, id, (old) => ({ ...old, stale: true }));
  return { invocations };
};
