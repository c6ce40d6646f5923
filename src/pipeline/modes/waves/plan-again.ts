import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import { tasksAtWork } from '../../scheduling/ready.ts';
import type { SessionState } from '../../state.ts';

/** Closes a task that was split, since its parts replace it, and lets the Planner plan an escalated one again. `null`: neither may happen now. */
export const planAgain = (state: SessionState): EventBody | null => {
  let busy: ReadonlySet<string> | null = null;
  for (const [id, task] of state.tasks) {
    const { status, replan, definition } = task;
    const parts = definition.replaced_by.filter((part) => part !== id && state.tasks.has(part));
    if (parts.length > 0 && (status === 'open' || status === 'failed'))
      return { type: 'task.replaced', task: id, by: parts };
    if (replan === null || status !== 'open') continue;
    busy ??= tasksAtWork(state);
    const step = busy.has(id) ? null : invoke(state, { mode: 'REBREAKDOWN_TASK', task });
    if (step !== null) return step;
  }
  return null;
};
