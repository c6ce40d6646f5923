import type { Message } from '../../agents/port.ts';
import type { EventOf } from '../event.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, type Owned, put } from '../maps.ts';
import type { Invocation, SessionState } from '../state.ts';
import { mergedMessages } from './lessons.ts';

/**
 * A person's orders to the agents on a task: each lives as long as the task, through its attempts, their reviews and the tasks that replace it, until the
 * person takes it back (src/signals/README.md, Orders in force).
 */
export const orders: HandlersOf<'order.withdrawn'> = {
  'order.withdrawn': (state, { order, text }, own) => ({
    tasks: withoutInTasks(state, own, order),
    invocations: takenBack(state, own, order, text),
    standing: without(state.standing, order),
    retries: eachMessages(state.retries, own, order),
    lostWords: [...state.lostWords].reduce(
      (words, [slot, messages]) =>
        has(messages, order) ? put(own, words, slot, without(messages, order)) : words,
      state.lostWords,
    ),
  }),
};

/** The task keeps an order that an agent on it took. A broadcast stands for the whole session, and words without an author are no order. */
export const keptOrder = (
  state: SessionState,
  own: Owned,
  task: string | null | undefined,
  { broadcast }: Pick<EventOf<'signal.delivered'>, 'broadcast'>,
  message: Message,
): Patch => {
  if (!task || broadcast || message.kind !== 'STEER' || message.unproven === true) return null;
  const { apply: _decided, ...words } = message;
  return {
    tasks: change(own, state.tasks, task, (old) => ({
      ...old,
      orders: mergedMessages(old.orders, [{ ...words, inForce: true }]),
    })),
  };
};

const has = (messages: readonly Message[], id: string): boolean => messages.some((each) => each.id === id);

const without = (messages: readonly Message[], id: string): readonly Message[] =>
  has(messages, id) ? messages.filter((each) => each.id !== id) : messages;

const withoutInTasks = ({ tasks }: SessionState, own: Owned, order: string): SessionState['tasks'] =>
  [...tasks].reduce(
    (known, [id, { orders: given, feedback }]) =>
      has(given, order) || has(feedback, order)
        ? change(own, known, id, (task) => ({
            ...task,
            orders: without(task.orders, order),
            feedback: without(task.feedback, order),
          }))
        : known,
    tasks,
  );

const eachMessages = (retries: SessionState['retries'], own: Owned, order: string): SessionState['retries'] =>
  [...retries].reduce(
    (known, [slot, { messages }]) =>
      has(messages, order)
        ? change(own, known, slot, (retry) => ({ ...retry, messages: without(messages, order) }))
        : known,
    retries,
  );

/** An agent that has the order hears that it no longer holds. */
const takenBack = (
  { invocations }: SessionState,
  own: Owned,
  order: string,
  text: string,
): SessionState['invocations'] => {
  const told: Message = {
    id: `withdrawn:${order}`,
    kind: 'INFO',
    text: `The person in charge takes this order back: do not follow it any more, and undo what only it asked for: "${text}"`,
  };
  const edit = (invocation: Invocation): Invocation => ({
    ...invocation,
    messages: without(invocation.messages, order),
    takenBack: [...invocation.takenBack, told],
  });
  return [...invocations].reduce(
    (known, [id, { messages }]) => (has(messages, order) ? change(own, known, id, edit) : known),
    invocations,
  );
};
