import type { QuestionOption } from '../../signals/question-kinds.ts';
import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';
import type { FinishHow } from './changes-state.ts';
import { isIsolated } from './isolated.ts';

/**
 * What becomes of the session's branch at the end of an iteration that merged something: a person is asked, or `changes.at_end` decides. `wait`: git
 * works, or a person thinks. `null`: it is decided.
 */
export const finishStep = (state: SessionState): EventBody | 'wait' | null => {
  const { session, step, merges, finished, unfinished } = state.changes;
  // In a flow pull requests bring the work to the person.
  if (
    state.mode === 'flow' ||
    !isIsolated(state) ||
    session === null ||
    merges === 0 ||
    finished?.merges === merges
  )
    return null;
  if (step !== null) return 'wait';
  const { at_end } = state.settings.changes;
  if (at_end !== 'ask' && unfinished === null) return { type: 'finish.started', how: at_end };
  if (!state.attended) return { type: 'finish.started', how: 'keep' };
  const request = `changes:${state.iteration}:${unfinished?.times ?? 0}`;
  const question = state.questions.get(request);
  if (question === undefined)
    return {
      type: 'question.asked',
      request,
      kind: 'changes',
      ...questionOf(state, session.branch),
      invocation: null,
    };
  if (question.answer === null) return 'wait';
  return { type: 'finish.started', how: chosen(question.option) };
};

const questionOf = (
  { changes: { merges, unfinished } }: SessionState,
  branch: string,
): { readonly text: string; readonly options: QuestionOption[] } => {
  const before = unfinished === null ? '' : `${unfinished.reason} `;
  return {
    text: `${before}${branch} contains ${merges} ${merges === 1 ? 'merge' : 'merges'}. What should happen to the branch?`,
    options: [
      { id: 'keep', label: 'leave the branch as it is' },
      { id: 'merge', label: 'into the branch you have checked out' },
      { id: 'squash', label: 'as one commit on the branch you have checked out' },
      { id: 'pull-request', label: 'only show the commands for one' },
    ],
  };
};

/** Nothing but the choice itself moves the person's branch. */
const chosen = (option: string | null): FinishHow =>
  option === 'merge' || option === 'squash' || option === 'pull-request' ? option : 'keep';
