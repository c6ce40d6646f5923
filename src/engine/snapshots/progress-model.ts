import { type Clock, formatTimestamp } from '../../base/clock.ts';
import type { SessionState, TaskState } from '../../pipeline/state.ts';
import type { IterationRow, ProgressModel } from '../../tasks/progress-file.ts';
import type { ProgressLine } from '../../tasks/progress-line.ts';
import type { TaskStatus } from '../../tasks/task.ts';

/** The contents of `progress.md` for a state (session-format.md, progress.md). `earlier`: the rows of earlier iterations. */
export const progressModel = (
  state: SessionState,
  clock: Clock,
  earlier: readonly IterationRow[],
): ProgressModel => {
  const items = [...state.planItems].map(([id, { mark, note }]): ProgressLine => {
    const status: TaskStatus = mark;
    return { id, status, notes: note === null ? [] : [note] };
  });
  const isKnowledge = ({ id }: ProgressLine): boolean => id.startsWith('plan-knowledge-');
  return {
    iteration: state.iteration,
    planning: items.filter((item) => !isKnowledge(item)),
    implementation: [...state.tasks.values()].map((task) => taskLine(state, task, clock)),
    knowledge: items.filter(isKnowledge),
    iterations: [...earlier.filter(({ iteration }) => iteration < state.iteration), rowOf(state)],
  };
};

const taskLine = (state: SessionState, task: TaskState, clock: Clock): ProgressLine => {
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
    notes: notesOf(state, task),
  };
};

const endKeys: Readonly<Partial<Record<TaskStatus, 'completed' | 'qualified' | 'failed'>>> = {
  review: 'completed',
  done: 'qualified',
  failed: 'failed',
};

const notesOf = (state: SessionState, task: TaskState): readonly string[] => {
  const held = [...state.invocations.values()].some(
    (invocation) => invocation.stage === 'paused' && invocation.task === task.definition.id,
  );
  // A comma would split the note when the file is read again.
  const reason = task.reason?.replaceAll(',', ';').replace(/\s+/g, ' ').trim().slice(0, 300);
  return [...(held ? ['Paused by signal.'] : []), ...(reason ? [reason] : [])];
};

const rowOf = (state: SessionState): IterationRow => {
  const done = [...state.tasks.values()].filter(({ status }) => status === 'done').length;
  return {
    iteration: state.iteration,
    status: state.status,
    tasks: `${done}/${state.tasks.size}`,
    feedbacks: state.iteration > 1 ? String(state.feedback.length) : '0',
  };
};
