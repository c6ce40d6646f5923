import { memoise } from '../../src/base/memoise.ts';
import { type TaskPhase, taskPhaseSchema } from '../../src/issues/task-list/task-phase.ts';
import { type Listed, listOf } from '../../src/pipeline/modes/flow/flow-tasks.ts';
import type { SessionState, TaskState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { failedForGood } from '../../src/tasks/graph.ts';

/** One cell of the strip. */
export interface StripCell {
  readonly word: string;
  /** `skipped`: not part of this iteration. */
  readonly phase: 'passed' | 'current' | 'ahead' | 'skipped';
  /** What went wrong in this part, for one in which the session failed or was broken off: "1 failed". */
  readonly note?: string;
  /** Set for the last part of a session that ended otherwise than complete. */
  readonly isBad?: true;
}

const words: Readonly<Record<TaskPhase, string>> = {
  split: 'Split',
  triage: 'Triage',
  research: 'Research',
  plan: 'Plan',
  review: 'Review',
  implement: 'Implement',
  pr: 'PR',
  merge: 'Merge',
};

/**
 * The phases of the task list in the order of the work. Several are current where streams are at different places: each with a task at work or at a
 * person; without any, the first one that has work left.
 */
export const flowPhases = memoise((session: SessionState): readonly StripCell[] => {
  const { flow } = session;
  if (flow === null) return [];
  const byPhase = Map.groupBy(
    listOf(session, flow).filter(({ listed }) => !listed.replaced_by.some((part) => session.tasks.has(part))),
    ({ listed }) => listed.phase,
  );
  const cells = taskPhaseSchema.options.flatMap((phase): StripCell[] => {
    const tasks = byPhase.get(phase);
    if (tasks === undefined) return [];
    const failed = isComplete(session) ? tasks.filter(({ task }) => isLost(session, task)).length : 0;
    const note = failed === 0 ? {} : { note: `${failed} failed` };
    return [{ word: words[phase], phase: phaseOf(session, tasks), ...note }];
  });
  const isOut = session.state !== 'EXECUTING_BATCH' || cells.some((cell) => cell.phase === 'current');
  const next = isOut ? -1 : cells.findIndex((cell) => cell.phase === 'ahead');
  const brokenAt = session.status === 'aborted' ? cells.findIndex((cell) => cell.phase === 'ahead') : -1;
  return cells.map((cell, at) =>
    at === next ? { ...cell, phase: 'current' } : at === brokenAt ? { ...cell, note: 'cut off' } : cell,
  );
});

const isLost = ({ settings }: SessionState, task: TaskState): boolean =>
  failedForGood(task, settings.retries.max_attempts);

const phaseOf = (session: SessionState, tasks: readonly Listed[]): StripCell['phase'] => {
  const left = tasks.filter(
    ({ task }) => task.status !== 'done' && task.status !== 'cancelled' && !isLost(session, task),
  );
  if (left.length === 0) return tasks.every(({ task }) => task.status === 'cancelled') ? 'skipped' : 'passed';
  const isAtWork = session.state === 'EXECUTING_BATCH' && left.some(({ task }) => task.status !== 'open');
  return isAtWork ? 'current' : 'ahead';
};
