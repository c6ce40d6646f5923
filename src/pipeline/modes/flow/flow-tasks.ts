import type { IssueId } from '../../../issues/issue.ts';
import { isLockedState } from '../../../issues/state.ts';
import { isCall } from '../../../issues/task-list/calls.ts';
import type { FlowTask } from '../../../issues/task-list/flow-task.ts';
import { flowTaskOf } from '../../../issues/task-list/stored-task.ts';
import type { TaskId } from '../../../tasks/task.ts';
import { backendOf } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { type FlowState, type FlowWork, noWork } from './flow-state.ts';

/** A task of the session with its place in the list. */
export interface Listed {
  readonly task: TaskState;
  readonly listed: FlowTask;
  readonly work: FlowWork;
}

/** The tasks of the list in its order. */
export const listOf = (state: SessionState, flow: FlowState): readonly Listed[] =>
  [...state.tasks.values()].flatMap((task) => {
    const listed = flowTaskOf(task.definition);
    return listed === null ? [] : [{ task, listed, work: flow.works.get(listed.id) ?? noWork }];
  });

/** No agent works on it. A pull request without one gets its text from the documents. */
export const isOfEngine = (state: SessionState, { task, listed }: Pick<Listed, 'task' | 'listed'>): boolean =>
  !isCall(listed, { phases: state.flow?.phases, agents: state.settings.flow.agents }) ||
  (listed.phase === 'pr' && backendOf(state, 'Executor', task) === 'script');

/** The first issue of the stream that a task implements or integrates: it names the branch. `null` for tasks that only read or plan. */
export const streamOf = (state: SessionState, id: TaskId): IssueId | null => {
  const task = state.tasks.get(id);
  const own = task === undefined ? null : flowTaskOf(task.definition);
  if (own === null || !branching.has(own.phase)) return null;
  if (own.stream !== null) return own.stream;
  // A journal of an earlier version does not name it.
  for (const { definition, status } of state.tasks.values()) {
    const other = flowTaskOf(definition);
    if (
      other?.phase === 'pr' &&
      status !== 'cancelled' &&
      own.issues.some((issue) => other.issues.includes(issue))
    )
      return other.issues[0] ?? null;
  }
  return own.issues[0] ?? null;
};

const branching: ReadonlySet<string> = new Set(['implement', 'pr', 'merge']);

/** Whether one of the issues is in a state in which a session holds it, by the last reading. */
export const anyLocked = ({ reading: read }: FlowState, issues: readonly IssueId[]): boolean =>
  (read?.issues ?? []).some(({ id, state }) => issues.includes(id) && isLockedState(state));

/** Phases whose issues are locked while they are worked on. */
export const locking: ReadonlySet<FlowTask['phase']> = new Set(['research', 'plan', 'implement']);

/** Phases whose agents hand in text and change no file. */
export const reading: ReadonlySet<FlowTask['phase']> = new Set([
  'split',
  'triage',
  'research',
  'review',
  'pr',
  'merge',
]);
