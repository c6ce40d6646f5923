import type { PersonVerdict } from '../../agents/port.ts';
import { list } from '../../base/sentence.ts';
import type { QuestionOption } from '../../signals/question-kinds.ts';
import { isLastAttempt } from '../../tasks/graph.ts';
import type { EventBody } from '../event.ts';
import type { SessionState, TaskState } from '../state.ts';

/** The request of a person's review of one attempt: `review:task-3:2`. */
const reviewRequest = (task: string, attempt: number): string => `review:${task}:${attempt}`;

/** The request for the task's current attempt. */
export const reviewRequestOf = ({ definition, attempt }: TaskState): string =>
  reviewRequest(definition.id, Math.max(attempt, 1));

/** The next step of a task in review: its Reviewer starts, a person is asked, or it waits for the answer. */
export type ReviewStep = 'invoke' | 'wait' | Extract<EventBody, { readonly type: 'question.asked' }>;

/** The review is over, and the merge decides. */
export const isReviewed = ({ review }: TaskState): boolean =>
  review !== 'open' && review !== 'agent-passed' && review !== 'repeated';

/** Who reviews the attempt next (`review`). A person is asked once for each attempt. The Reviewer records the verdict, also a person's. */
export const reviewStep = (state: SessionState, task: TaskState): ReviewStep => {
  if (!isForPerson(state, task)) return 'invoke';
  const question = state.questions.get(reviewRequestOf(task));
  if (question === undefined) return asked(state, task);
  return question.answer === null ? 'wait' : 'invoke';
};

/** The verdict of the person who reviewed the attempt; `null` while none is due or given. */
export const personVerdict = (state: SessionState, task: TaskState): PersonVerdict | null => {
  if (!isForPerson(state, task)) return null;
  const {
    answer = null,
    option = null,
    answeredBy = null,
  } = state.questions.get(reviewRequestOf(task)) ?? {};
  if (answer === null) return null;
  const by = answeredBy ?? 'a person';
  if (option === 'accept') return { by, accepted: true, text: '' };
  return { by, accepted: false, text: answer === option ? 'rejected without a reason' : answer };
};

/** A person decides about a qualified attempt too. */
export const asksPersonToo = (state: SessionState): boolean =>
  state.mode !== 'loop' && state.settings.review === 'both';

const isForPerson = (state: SessionState, task: TaskState): boolean => {
  if (state.mode === 'loop' || task.status !== 'review') return false;
  return task.review === (state.settings.review === 'person' ? 'open' : 'agent-passed');
};

const asked = (
  state: SessionState,
  task: TaskState,
): Extract<EventBody, { readonly type: 'question.asked' }> => {
  const { id, title } = task.definition;
  return {
    type: 'question.asked',
    request: reviewRequestOf(task),
    kind: 'review',
    task: id,
    attempt: Math.max(task.attempt, 1),
    text: `Accept ${id}${title === '' ? '' : ` (${title})`}, attempt ${Math.max(task.attempt, 1)}?${uncheckedWords(task)}`,
    options: reviewOptions(isLastAttempt(task, state.settings.retries.max_attempts)),
    invocation: null,
  };
};

const uncheckedWords = ({ unchecked }: TaskState): string =>
  unchecked.length === 0
    ? ''
    : ` Its review shows nothing for ${list(
        unchecked.map((criterion) => `"${criterion}"`),
        3,
      )}.`;

/** What a person answers. `isLast`: a rejection of the attempt is followed by no other one. */
export const reviewOptions = (isLast: boolean): QuestionOption[] => [
  { id: 'accept', label: 'the work is good' },
  {
    id: 'reject',
    label: isLast
      ? 'no attempts left: the task fails with your message'
      : 'another attempt, with your message',
    words: 'may',
  },
];
