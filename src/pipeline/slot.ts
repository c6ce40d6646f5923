import type { Message, Mode } from '../agents/port.ts';
import type { Role } from '../signals/signal.ts';
import type { TaskId } from '../tasks/task.ts';
import { modeSchema } from './events/fields.ts';

/**
 * The purpose of an invocation, whichever backend performs it and however often. Keys its retries, its
 * turns without result and the question after them: `IMPLEMENT:task-3`, `TASK_REVIEW:task-3`, `research`.
 */
export const slotOf = (mode: Mode, task: TaskId | null): string => (task === null ? mode : `${mode}:${task}`);

/** The request name of the question after two turns without result. */
export const requestOf = (slot: string): string => `no-result:${slot}`;

/** After so many turns in a row without a result, the same agent is not asked again unless a person says so. */
export const mostWithoutResult = 2;

/** Asks what a person could answer before the plan. Another answer to the question about it: the plan is made without. */
export const isOfQuestions = (slot: string): boolean => slot === 'brainstorm' || slot === 'research';
export const withoutQuestions = 'no-questions';

/** Every slot of a task. */
export const slotsOfTask = (task: TaskId): readonly string[] => [
  slotOf('IMPLEMENT', task),
  slotOf('TASK_REVIEW', task),
  slotOf('REBREAKDOWN_TASK', task),
];

/** The role of each mode (src/engine/README.md, Roles). */
export const roleOf: Readonly<Record<Mode, Role>> = {
  INITIALIZE: 'Planner',
  TASK_BREAKDOWN: 'Planner',
  UPDATE: 'Planner',
  REBREAKDOWN: 'Planner',
  REBREAKDOWN_TASK: 'Planner',
  brainstorm: 'Questioner',
  research: 'Questioner',
  'feedback-analysis': 'Questioner',
  IMPLEMENT: 'Executor',
  TASK_REVIEW: 'Reviewer',
  SESSION_REVIEW: 'Reviewer',
  STAGE: 'Librarian',
  PROMOTE: 'Librarian',
};

const modes = modeSchema.options;

/** The role of a slot's mode. */
export const roleOfSlot = (slot: string): Role => {
  const mode = modes.find((candidate) => candidate === slot.split(':')[0]);
  return mode === undefined ? 'Executor' : roleOf[mode];
};

/** The task of a slot, or null. */
export const taskOfSlot = (slot: string): TaskId | null => slot.split(':')[1] ?? null;

/** The retry of a slot's failed call. */
export interface ScheduledRetry {
  readonly atMs: number;
  readonly tries: number;
  /** It was due and has started. */
  readonly fired: boolean;
  /** Why the call failed. */
  readonly reason?: string;
  /** The messages of the failed call, which this one gets. */
  readonly messages: readonly Message[];
}
