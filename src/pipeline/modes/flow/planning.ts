import { missingTasks } from '../../../issues/task-list/change-task-list.ts';
import { directiveOf } from '../../../issues/task-list/directive.ts';
import type { FlowTask } from '../../../issues/task-list/flow-task.ts';
import { storedTask } from '../../../issues/task-list/stored-task.ts';
import type { TaskDefinition } from '../../../tasks/task.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { afterAway } from './away.ts';
import { listOf } from './flow-tasks.ts';
import { type FlowStanding, freshList, standingOfFlow } from './position-of-flow.ts';
import { isStuck, stuck } from './stuck.ts';

/** Reads the group, takes the position, and writes the list without a Planner. A list that is there already gets only what it lacks. */
export const planning: Stage = (state) => {
  const { flow } = state;
  if (flow === null) return null;
  if (flow.step !== null) return afterAway(flow);
  if (isStuck(flow)) return stuck(state, flow);
  const standing = standingOfFlow(flow);
  if (standing === null) return { type: 'flow.step-started', step: { kind: 'read' } };
  const existing = listOf(state, flow)
    .filter(({ task }) => task.status !== 'cancelled')
    .map(({ listed }) => listed);
  // A task that is off stays off until a RETRY: defined again it would still be off, and missing for ever.
  const missing = missingTasks(standing.index, existing, freshList(flow, standing)).filter(
    ({ id }) => !state.tasks.has(id),
  );
  return missing.length > 0 ? define(state, standing, missing) : enter(state, 'EXECUTING_BATCH');
};

/** The fact that adds tasks to the session. */
export const define = (
  state: SessionState,
  standing: FlowStanding,
  tasks: readonly FlowTask[],
): Extract<EventBody, { readonly type: 'tasks.defined' }> => ({
  type: 'tasks.defined',
  tasks: tasks.map((task) => definitionOf(state, standing, task)),
});

const definitionOf = (
  { iteration, settings, goal }: SessionState,
  { index }: FlowStanding,
  task: FlowTask,
): TaskDefinition => {
  const issues = task.issues.flatMap((id) => index.byId.get(id) ?? []);
  const agent = issues.map(({ labels }) => agentLabel(labels)).find((name) => name !== null) ?? null;
  const chosen = new Set([...Object.values(settings.roles), ...Object.values(settings.flow.agents)]);
  const known = agent !== null && agent !== 'script' && chosen.has(agent);
  const named = known ? agent : (settings.flow.agents[task.phase] ?? settings.flow.agents[task.role] ?? null);
  return {
    ...storedTask(task, { iteration, description: directiveOf(task, issues, goal) }),
    ...(verified.has(task.phase) ? { verify: settings.loop.verify.map((cmd) => ({ cmd })) } : {}),
    ...(named === null ? {} : { agent: named }),
  };
};

/** An implementation on the branch of its stream, and a merge before it moves the person's branch. */
const verified: ReadonlySet<string> = new Set(['implement', 'merge']);

/** The label `agent:codex` gives the issue's tasks to that agent. Only an agent counts that the
 * person chose for this session: anybody with a label could else start another one. */
const agentLabel = (labels: readonly string[]): string | null => {
  const label = labels.find((each) => each.startsWith('agent:'));
  return label === undefined ? null : label.slice('agent:'.length).trim();
};
