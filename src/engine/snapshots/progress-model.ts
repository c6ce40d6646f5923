import { type Clock, formatTimestamp } from '../../base/clock.ts';
import { memoiseLast } from '../../base/memoise.ts';
import type { SessionState, TaskState } from '../../pipeline/state.ts';
import { countTasks } from '../../tasks/count-tasks.ts';
import type { IterationRow, ProgressModel } from '../../tasks/progress-file.ts';
import type { ProgressLine } from '../../tasks/progress-line.ts';
import type { TaskId, TaskStatus } from '../../tasks/task.ts';

/** The contents of `progress.md` for a state (src/session/README.md, progress.md). `earlier`: the rows of earlier iterations. */
type ProgressModelOf = (state: SessionState, earlier: readonly IterationRow[]) => ProgressModel;

/**
 * A task that has not changed keeps its line: the file is written each second, and 5,000 new lines each time are garbage that makes the heap
 * grow.
 */
export const createProgressModel = (clock: Clock): ProgressModelOf => {
  const lineOf = memoiseLast<TaskState, boolean, ProgressLine>(Object.is, (task, isHeld) =>
    taskLine(task, isHeld, clock),
  );
  return (state, earlier) => modelOf(state, earlier, lineOf);
};

const modelOf = (
  state: SessionState,
  earlier: readonly IterationRow[],
  lineOf: (task: TaskState, isHeld: boolean) => ProgressLine,
): ProgressModel => {
  const items = [...state.planItems].map(([id, { mark, note }]): ProgressLine => {
    const status: TaskStatus = mark;
    return { id, status, notes: note === null ? [] : [note] };
  });
  const held = new Set<TaskId | null>();
  for (const { stage, task } of state.invocations.values()) if (stage === 'paused') held.add(task);
  const isKnowledge = ({ id }: ProgressLine): boolean => id.startsWith('plan-knowledge-');
  return {
    iteration: state.iteration,
    planning: items.filter((item) => !isKnowledge(item)),
    implementation: Array.from(state.tasks.values(), (task) => lineOf(task, held.has(task.definition.id))),
    knowledge: items.filter(isKnowledge),
    iterations: [...earlier.filter(({ iteration }) => iteration < state.iteration), rowOf(state)],
  };
};

const taskLine = (task: TaskState, isHeld: boolean, clock: Clock): ProgressLine => {
  const stamp = (at: string | null): string | null =>
    at === null ? null : formatTimestamp(clock, Date.parse(at));
  const started = stamp(task.startedAt);
  const ended = stamp(task.endedAt);
  const endKey = endKeys[task.status];
  return {
    id: task.definition.id,
    status: task.status,
    ...(task.attempt > 0 ? { attempt: task.attempt } : {}),
    iteration: task.iteration,
    ...(started === null ? {} : { started }),
    ...(ended === null || endKey === undefined ? {} : { [endKey]: ended }),
    ...(task.status === 'review' ? { reviewPending: true } : {}),
    ...(task.owner === null ? {} : { owner: task.owner }),
    notes: notesOf(task, isHeld),
  };
};

const endKeys: Readonly<Partial<Record<TaskStatus, 'completed' | 'qualified' | 'failed'>>> = {
  review: 'completed',
  done: 'qualified',
  failed: 'failed',
};

const notesOf = (task: TaskState, isHeld: boolean): readonly string[] => {
  // A comma would split the note when the file is read again.
  const reason = task.reason?.replaceAll(',', ';').replace(/\s+/g, ' ').trim().slice(0, 300);
  return [...(isHeld ? ['Paused by signal.'] : []), ...(reason ? [reason] : [])];
};

const rowOf = (state: SessionState): IterationRow => {
  const { completed, total } = countTasks(state.tasks);
  return {
    iteration: state.iteration,
    status: state.status,
    tasks: `${completed}/${total}`,
    feedbacks: state.iteration > 1 ? String(state.feedback.length) : '0',
  };
};
