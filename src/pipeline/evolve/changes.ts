import type { HandlersOf } from './handler.ts';
import { change } from './maps.ts';
import { settle } from './settle.ts';

/** What becomes of the changes of an attempt. */
export const changes: HandlersOf<'review.passed'> = {
  'review.passed': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    tasks: change(own, state.tasks, event.task, (task) => ({ ...task, review: 'agent-passed' })),
  }),
};
