import type { TaskId } from '../../../tasks/task.ts';
import type { SessionState, TaskState } from '../../state.ts';
import type { LoopCourse, LoopState, TurnRecord } from './turn-record.ts';

/** The task of a turn. */
export const turnId = (turn: number): TaskId => `turn-${turn}`;

/** Number of turns that have begun. */
export const lastTurn = (state: SessionState): number => state.tasks.size;

/** The turns of a session, as input of the stop conditions. */
export const courseOf = (state: SessionState, loop: LoopState): LoopCourse => ({
  turns: loop.looks.map(
    (look): TurnRecord => ({ ...look, result: resultOf(state.tasks.get(turnId(look.turn))) }),
  ),
  focus: loop.focus,
  timeUp: loop.timeUp,
  usedTurns: loop.used.turns,
});

const resultOf = (task: TaskState | undefined): TurnRecord['result'] => {
  switch (task?.status) {
    case 'done':
    case 'failed':
    case 'cancelled':
      return task.status;
    default:
      return null;
  }
};
