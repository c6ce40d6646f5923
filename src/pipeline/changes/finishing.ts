import { asSentence } from '../../base/sentence.ts';
import type { QuestionOption } from '../../signals/question-kinds.ts';
import type { EventBody } from '../event.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState } from '../state.ts';
import { standingOf } from '../waves.ts';
import type { ChangesState, FinishHow } from './changes-state.ts';
import { unrunHooks } from './unrun-hooks.ts';

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
  if (at_end !== 'ask' && unfinished === null) {
    const doubt = at_end === 'merge' || at_end === 'squash' ? doubtOf(state) : null;
    return doubt === null
      ? { type: 'finish.started', how: at_end }
      : { type: 'finish.refused', reason: doubt };
  }
  if (!state.attended) return { type: 'finish.started', how: 'keep' };
  const request = `changes:${state.iteration}:${unfinished?.times ?? 0}`;
  const question = state.questions.get(request);
  if (question === undefined)
    return {
      type: 'question.asked',
      request,
      kind: 'changes',
      ...questionOf(state, session),
      invocation: null,
    };
  if (question.answer === null) return 'wait';
  return { type: 'finish.started', how: chosen(question.option) };
};

/** Why nobody merges unasked what was to be merged. */
const doubtOf = ({ review }: SessionState): string | null =>
  review?.goalsAchieved === false
    ? `The review of the session finds its goals not achieved: ${asSentence(review.gaps[0] ?? review.assessment)}`
    : null;

/**
 * The changes at a new start of the session: what should become of the branch is open again if it could not be done with nobody there to ask, or if this
 * start names another way. A branch that was merged stays merged.
 */
export const decideAgain = (
  { changes, startFlags }: Pick<SessionState, 'changes' | 'startFlags'>,
  atEnd: string | undefined,
): ChangesState => {
  const { finished } = changes;
  if (finished === null || finished.how === 'merge' || finished.how === 'squash') return changes;
  const isOther = atEnd !== undefined && atEnd !== startFlags.atEnd;
  return isOther || finished.refused !== null ? { ...changes, finished: null } : changes;
};

const questionOf = (
  state: SessionState,
  { branch, hooks }: NonNullable<ChangesState['session']>,
): { readonly text: string; readonly options: QuestionOption[] } => {
  const { merges, unfinished } = state.changes;
  const before = unfinished === null ? '' : `${unfinished.reason} `;
  const contents = `${merges} ${merges === 1 ? 'merge' : 'merges'}${missing(state)}`;
  const unrun = unrunHooks(hooks);
  return {
    text: `${before}${branch} contains ${contents}. What should happen to the branch?${unrun === null ? '' : ` ${unrun}`}`,
    options: [
      { id: 'keep', label: 'leave the branch as it is' },
      { id: 'merge', label: 'into the branch you have checked out' },
      { id: 'squash', label: 'as one commit on the branch you have checked out' },
      { id: 'pull-request', label: 'only show the commands for one' },
    ],
  };
};

/** Who merges the branch learns here that it lacks something. */
const missing = (state: SessionState): string => {
  const unreachable = standingOf(state).unreachable.size;
  const failed = [...state.tasks.values()].filter(({ status }) => status === 'failed').length;
  const tasks = failed + unreachable;
  if (tasks === 0) return '';
  const noun = tasks === 1 ? 'task' : 'tasks';
  if (failed > 0 && unreachable > 0)
    return `, but not the work of ${tasks} ${noun} (${failed} failed, ${unreachable} unreachable)`;
  return `, but not the work of ${tasks} ${failed > 0 ? 'failed' : 'unreachable'} ${noun}`;
};

/** Nothing but the choice itself moves the person's branch. */
const chosen = (option: string | null): FinishHow =>
  option === 'merge' || option === 'squash' || option === 'pull-request' ? option : 'keep';
