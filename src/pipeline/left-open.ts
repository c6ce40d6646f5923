import { type Owned, put } from './maps.ts';
import type { SessionState } from './state.ts';

/**
 * Reopens tasks that have no invocation, such as one whose next try was due. It waits like the others when its batch ends
 * because a blocker was reopened, or when the session stops. Paused or interrupted work continues with its invocation.
 */
export const leftOpen = (state: SessionState, own: Owned): SessionState['tasks'] => {
  const atWork = new Set([...state.invocations.values()].map(({ task }) => task));
  let tasks = state.tasks;
  for (const [id, task] of state.tasks)
    if (task.status === 'running' && !atWork.has(id))
      tasks = put(own, tasks, id, { ...task, status: 'open' });
  return tasks;
};
