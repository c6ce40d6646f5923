import { attemptKey, type ChangesState, mergeOf } from '../changes/changes-state.ts';
import type { Owned } from '../maps.ts';
import type { SessionState } from '../state.ts';
import { attempt, task, with_ } from './edit-changes.ts';
import { markStale } from './settle.ts';

/** The train without a task. */
export const without = ({ changes: { train } }: SessionState, id: string): ChangesState['train'] =>
  train.filter(({ task }) => task !== id);

/**
 * A member leaves the train. Those behind it are merged again, and what is known of their merges no longer counts. `kept`: how many of its members, from this
 * one on, do not come again.
 */
export const leaving = (
  state: SessionState,
  event: { readonly task: string; readonly attempt: number },
  own: Owned,
  kept: 0 | 1,
): SessionState => {
  const { train } = state.changes;
  const at = train.findIndex(({ task }) => task === event.task);
  const gone = at < 0 ? [event] : train.slice(at);
  let next: SessionState = { ...state, ...with_(state, { train: at < 0 ? train : train.slice(0, at) }) };
  for (const [index, member] of gone.entries()) {
    const merge = next.changes.attempts.get(attemptKey(next.iteration, member.task, member.attempt));
    const merges = Math.max(0, next.changes.merges - (mergeOf(merge) === null ? 0 : 1));
    next = {
      ...next,
      ...attempt(next, member, own, (old) => ({ ...old, merged: null, mergedOnto: null }), merges),
    };
    if (index < kept) continue;
    const known = next.tasks.get(member.task);
    if (known?.status !== 'review' || Math.max(known.attempt, 1) !== member.attempt) continue;
    next = {
      ...next,
      ...markStale(next, own, member.task),
      ...task(next, member.task, own, { review: 'passed' }),
    };
  }
  return next;
};
