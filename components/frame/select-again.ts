import { lastTurn, turnId } from '../../src/pipeline/modes/loop/turns.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { TaskId } from '../../src/tasks/task.ts';

/** The task whose retry continues an ended session: the newest turn of a loop, else the first failed task. `null` when there is none. */
export const selectAgain = (session: SessionState): TaskId | null => {
  const { loop, tasks } = session;
  if (loop !== null)
    return session.status === 'awaiting_feedback' && tasks.size > 0 ? turnId(lastTurn(session)) : null;
  return [...tasks.values()].find(({ status }) => status === 'failed')?.definition.id ?? null;
};
