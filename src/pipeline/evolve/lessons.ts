import type { Message } from '../../agents/port.ts';
import type { EventOf } from '../event.ts';
import { ownMessageId } from '../own-message.ts';
import type { Invocation, TaskState } from '../state.ts';

/** Limit of messages to one task, more than any person sends. A flooding program must not fill the memory. */
const mostMessages = 1_000;

/** Both lists, each message once. */
export const mergedMessages = (old: readonly Message[], added: readonly Message[]): readonly Message[] =>
  added.length === 0
    ? old
    : [...new Map([...old, ...added].map((message) => [message.id, message])).values()].slice(-mostMessages);

/** After a conflict the next attempt begins at what is merged, with the reason in words. */
export const fromConflict = (
  task: TaskState,
  { attempt, reason }: EventOf<'task.failed'>,
): Pick<TaskState, 'feedback' | 'afresh'> | null =>
  task.status === 'review' && task.review === 'conflict'
    ? {
        afresh: true,
        feedback: mergedMessages(task.feedback, [
          { id: ownMessageId('merge', task.definition.id, attempt), kind: 'RETRY', text: reason },
        ]),
      }
    : null;

/** What a person said to an invocation of the task, besides the orders that the task keeps itself. */
export const saidTo = (task: TaskState, invocation: Invocation | undefined): readonly Message[] =>
  (invocation?.messages ?? []).filter(({ id }) => !task.orders.some((order) => order.id === id));

/** Who says why the attempt before failed. */
const before = 'the attempt before';

/**
 * The messages for the next attempt after a failed one: everything a person said, and the last reason, by the reviewer or by the attempt itself. Without it
 * an agent runs into the same thing again.
 */
export const lessons = (
  task: TaskState,
  { attempt, reason }: Pick<EventOf<'task.failed'>, 'attempt' | 'reason'>,
  invocation: Invocation | undefined,
): readonly Message[] => {
  const outcome = invocation?.outcome;
  const told = mergedMessages(task.feedback, invocation?.role === 'Executor' ? saidTo(task, invocation) : []);
  if (outcome?.role === 'Executor' && reason !== '')
    return [
      ...told.filter(({ from }) => from !== before),
      { id: ownMessageId('failed', task.definition.id, attempt), kind: 'RETRY', text: reason, from: before },
    ];
  if (outcome?.role !== 'Reviewer' || outcome.feedback === '') return told;
  const review: Message = {
    id: ownMessageId('review', task.definition.id, attempt),
    kind: 'RETRY',
    text: outcome.feedback,
    from: 'Reviewer',
  };
  return [...told.filter((message) => message.from !== 'Reviewer'), review];
};
