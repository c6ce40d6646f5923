import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';
import type { FinishHow } from './changes-state.ts';
import { isIsolated } from './merging.ts';

/**
 * What becomes of the session's branch at the end of an iteration that merged something: a person is asked, or `changes.at_end` decides. `wait`: git
 * works, or a person thinks. `null`: it is decided.
 */
export const finishStep = (state: SessionState): EventBody | 'wait' | null => {
  const { session, step, merges, finished, unfinished } = state.changes;
  if (!isIsolated(state) || session === null || merges === 0 || finished?.merges === merges) return null;
  if (step !== null) return 'wait';
  const { at_end } = state.settings.changes;
  if (at_end !== 'ask' && unfinished === null) return { type: 'finish.started', how: at_end };
  if (!state.attended) return { type: 'finish.started', how: 'keep' };
  const request = `changes:${state.iteration}:${unfinished?.times ?? 0}`;
  const question = state.questions.get(request);
  if (question === undefined)
    return { type: 'question.asked', request, ...questionOf(state, session.branch), invocation: null };
  if (question.answer === null) return 'wait';
  return { type: 'finish.started', how: chosen(question.answer) };
};

const questionOf = (
  { changes: { merges, unfinished } }: SessionState,
  branch: string,
): { readonly text: string; readonly options: string[] } => {
  const before = unfinished === null ? '' : `${unfinished.reason} `;
  return {
    text: `${before}${merges} ${merges === 1 ? 'merge stands' : 'merges stand'} on ${branch}. What becomes of it? keep: only the branch. merge: into the branch you have checked out. pull-request: only the commands for it.`,
    options: ['keep', 'merge', 'pull-request'],
  };
};

/** Nothing but the exact word moves the person's branch. */
const chosen = (answer: string): FinishHow => {
  const word = answer.trim().toLowerCase();
  return word === 'merge' || word === 'pull-request' ? word : 'keep';
};
