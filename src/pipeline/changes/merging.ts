import { asSentence } from '../../base/sentence.ts';
import type { QuestionOption } from '../../signals/question-kinds.ts';
import type { EventBody } from '../event.ts';
import type { SessionState, TaskState } from '../state.ts';
import { attemptChanges } from './attempt-changes.ts';
import { attemptKey, type Conflict, mergeOf } from './changes-state.ts';
import { boardsUnreviewed, mayBoard, trainStep } from './train.ts';
import { permissionStep } from './verifying.ts';

/** The merge waits for a person, and the task keeps nobody but its dependants from continuing. */
export const waitsForResolution = (state: SessionState, task: TaskState): boolean => {
  if (task.status !== 'review' || task.review !== 'conflict') return false;
  return state.questions.get(mergeRequest(state, task))?.answer === null;
};

/** True from the start of a merge until the session's branch holds it, or it is gone. */
export const isMerging = (state: SessionState): boolean =>
  state.changes.step !== null ||
  state.changes.train.length > 0 ||
  [...state.tasks.values()].some(isUnsettled);

/** It has left the train, and the task does not know yet. */
const isUnsettled = ({ status, review }: TaskState): boolean =>
  status === 'review' && (review === 'landed' || review === 'rejected');

/**
 * The next step on the way from an attempt to a done task. Merges are made one after another, in the order of the graph. `wait`: git works, or checks run.
 * `null`: nothing is left to merge.
 */
export const mergeStep = (state: SessionState): EventBody | 'wait' | null => {
  if (state.changes.step !== null) return 'wait';
  const results = [...state.tasks.values()].filter(({ status }) => status === 'review');
  const unsettled = results.find(isUnsettled);
  if (unsettled) return stepOf(state, unsettled);
  const train = trainStep(state);
  if (train !== null && train !== 'wait') return train;
  for (const task of results) {
    const step = stepOf(state, task);
    if (step !== null) return step;
  }
  return train;
};

const stepOf = (state: SessionState, task: TaskState): EventBody | null => {
  const result = { task: task.definition.id, attempt: Math.max(task.attempt, 1) };
  switch (task.review) {
    case 'open': {
      const asked = boardsUnreviewed(state, task) ? permissionStep(state, task) : 'wait';
      return asked === null ? boarding(state, task) : asked === 'wait' ? null : asked;
    }
    case 'passed':
      return boarding(state, task);
    case 'conflict':
      return resolutionOf(state, task);
    case 'landed': {
      const commit = mergedCommit(state, task);
      return { type: 'task.qualified', ...result, ...(commit === null ? {} : { commit }) };
    }
    case 'rejected':
      return {
        type: 'task.failed',
        ...result,
        reason: task.reason ?? 'failed after the merge',
        cause: task.cause ?? { who: 'merge' },
        counts: true,
      };
    default:
      return null;
  }
};

const boarding = (state: SessionState, task: TaskState): EventBody | null =>
  mayBoard(state, task)
    ? {
        type: 'merge.started',
        task: task.definition.id,
        attempt: Math.max(task.attempt, 1),
        ...(attemptChanges(state, task)?.allowed ? { anyway: true } : {}),
      }
    : null;

/** The commit that brought the task's attempt onto the session's branch, short as people write it. */
const mergedCommit = (state: SessionState, task: TaskState): string | null =>
  mergeOf(state.changes.attempts.get(keyOf(state, task)))?.slice(0, 9) ?? null;

/** A conflict is a question to a person. Each has a request of its own: a chosen side may conflict again. */
const resolutionOf = (state: SessionState, task: TaskState): EventBody | null => {
  const request = mergeRequest(state, task);
  const question = state.questions.get(request);
  const result = { task: task.definition.id, attempt: Math.max(task.attempt, 1) };
  if (question === undefined)
    return {
      type: 'question.asked',
      request,
      kind: 'merge',
      ...result,
      ...questionOf(state, task),
      invocation: null,
    };
  const { answer, option } = question;
  if (answer === null) return null;
  const by = question.answeredBy ?? 'a person';
  const isMerged = option === 'session' || option === 'task' || option === 'edited' || option === 'merge';
  // A conflict is resolved against what the session's branch holds.
  if (isMerged && (state.changes.train.length > 0 || !mayBoard(state, task))) return null;
  if (option === 'session' || option === 'task' || option === 'edited')
    return { type: 'merge.started', ...result, take: option };
  if (option === 'merge') return { type: 'merge.started', ...result, anyway: true };
  if (option === 'drop') return { type: 'task.cancelled', task: result.task, reason: `dropped by ${by}` };
  // The next attempt begins at what is merged.
  const words = answer === option ? whyStuck(state, task) : answer;
  return {
    type: 'task.failed',
    ...result,
    reason: `merge: ${words}`,
    cause: { who: 'person' },
    counts: false,
  };
};

const questionOf = (
  state: SessionState,
  task: TaskState,
): { readonly text: string; readonly options: QuestionOption[] } => {
  const { directory = null, conflict = null } = state.changes.attempts.get(keyOf(state, task)) ?? {};
  const why = whyStuck(state, task);
  const refusal = `${task.definition.id} was not merged: ${why}`;
  const isRefused = conflict?.refused != null;
  if (isRefused && conflict.files.length === 0)
    return {
      text: `${refusal} What now?`,
      options: refusedOptions(),
    };
  return {
    text: `${asSentence(isRefused ? refusal : why)} Which version should be kept?`,
    options: conflictOptions(directory),
  };
};

/**
 * The answers for an attempt whose merge was refused for another reason than a conflict. A screen chooses the first one by default, so the merge
 * comes last: it may lose files or let a secret in.
 */
export const refusedOptions = (): QuestionOption[] => [
  ...afresh,
  { id: 'merge', label: 'I reviewed it; merge it as it is' },
];

/** Whose version of the conflicting lines counts. `directory`: the worktree that holds them, both sides marked. */
export const conflictOptions = (directory: string | null): QuestionOption[] => [
  { id: 'session', label: "keep the session's lines, merged earlier" },
  { id: 'task', label: "take this attempt's lines (HEAD in the markers)" },
  { id: 'edited', label: `I resolved the conflict in ${directory ?? 'its worktree'}` },
  ...afresh,
];

/** Without this attempt. */
const afresh: readonly QuestionOption[] = [
  { id: 'again', label: 'another attempt, with your message', words: 'may' },
  { id: 'drop', label: 'continue without the task' },
];

const whyStuck = (state: SessionState, task: TaskState): string => {
  const conflict = state.changes.attempts.get(keyOf(state, task))?.conflict;
  if (!conflict) return `${task.definition.id} could not be merged`;
  if (conflict.refused !== null) return conflict.refused;
  return `${conflictWords(task.definition.id, conflict)} in ${conflict.files.join(', ')}`;
};

/** "english conflicts with html". */
export const conflictWords = (task: string, { against }: Conflict): string =>
  `${task} conflicts with ${against.length > 0 ? against.join(', ') : 'merged work'}`;

/** `merge:task-3:2:1`, the first conflict of its second attempt. */
const mergeRequest = (state: SessionState, task: TaskState): string => {
  const times = state.changes.attempts.get(keyOf(state, task))?.conflict?.times ?? 1;
  return mergeRequestOf(task.definition.id, Math.max(task.attempt, 1), times);
};

/** The request of the n-th question about merging an attempt. */
export const mergeRequestOf = (task: string, attempt: number, times: number): string =>
  `merge:${task}:${attempt}:${times}`;

const keyOf = (state: SessionState, { definition, attempt }: TaskState): string =>
  attemptKey(state.iteration, definition.id, Math.max(attempt, 1));
