import { formatTimestamp } from '../../base/clock.ts';
import { formatFault } from '../../base/fault.ts';
import { redacted } from '../../base/redact.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { formatTask } from '../../tasks/task-file.ts';
import { writeArtifacts } from '../artifacts.ts';
import type { EngineOptions } from '../engine.ts';
import { type Reaction, refused } from './reaction.ts';

/**
 * The facts of approving an edited plan: its tasks replace the planned ones, goal and settings stay. A string is the reason why it cannot be used.
 */
export const replacePlan = (
  pendingSignal: PendingSignal,
  state: SessionState,
  by: string,
): readonly EventBody[] | string => {
  const text = pendingSignal.signal.message ?? '';
  if (text.includes(redacted))
    return `the plan says ${redacted} where a secret was removed: have the command read it from a file or the environment`;
  const checked = parsePlan(text, 'the edited plan', state.iteration);
  if (!checked.ok) return checked.faults.map(formatFault).join('\n');
  const { tasks } = checked.value;
  const kept = new Set(tasks.map(({ id }) => id));
  const dropped = [...state.tasks.values()].filter(
    ({ definition, status }) => status !== 'cancelled' && !kept.has(definition.id),
  );
  return [
    { type: 'tasks.defined', tasks: [...tasks] },
    ...dropped.map(
      ({ definition }): EventBody => ({
        type: 'task.cancelled',
        task: definition.id,
        reason: `removed from the plan by ${by}`,
        signal: pendingSignal.id,
      }),
    ),
    { type: 'gate.decided', gate: 'plan', decision: 'approve', by, signal: pendingSignal.id },
  ];
};

/** Why one of these tasks cannot be given to its own agent, or `null`. A task that had this agent before was checked then. */
const agentProblemOf = (
  tasks: readonly TaskDefinition[],
  state: SessionState,
  { backends, agentProblem }: Pick<EngineOptions, 'backends' | 'agentProblem'>,
): string | null => {
  for (const { id, agent } of tasks) {
    if (agent === undefined || state.tasks.get(id)?.definition.agent === agent) continue;
    const problem = backends.some(({ name }) => name === agent)
      ? agent === 'script'
        ? null
        : (agentProblem?.(agent) ?? null)
      : `unknown agent "${agent}"; known agents: ${backends.map(({ name }) => name).join(', ')}`;
    if (problem !== null) return `task ${id}: ${problem}`;
  }
  return null;
};

/** Reacts as `react` does, but refuses tasks whose own agent cannot work on them. */
export const withAgentsChecked =
  (
    react: (signal: PendingSignal, state: SessionState) => Reaction,
    options: Pick<EngineOptions, 'backends' | 'agentProblem'>,
  ) =>
  (signal: PendingSignal, state: SessionState): Reaction => {
    const reaction = react(signal, state);
    if (reaction.kind !== 'done') return reaction;
    const tasks = reaction.facts.flatMap((fact) => (fact.type === 'tasks.defined' ? fact.tasks : []));
    const problem = agentProblemOf(tasks, state, options);
    return problem === null ? reaction : refused(problem);
  };

/** Writes task files for tasks that no Planner wrote. They are on disk before the journal records the tasks. */
export const writeTaskFiles = (options: EngineOptions, facts: readonly EventBody[]): void => {
  const { disk, random, paths, clock } = options;
  const now = formatTimestamp(clock);
  for (const fact of facts) {
    if (fact.type !== 'tasks.defined') continue;
    const artifacts = fact.tasks.map((task) => ({
      root: 'session' as const,
      path: `iterations/${task.iteration}/tasks/${task.id}.md`,
      text: formatTask(task, {
        createdAt: now,
        updatedAt: now,
        inheritedBy: waitingFor(task.id, fact.tasks),
      }),
      write: 'replace' as const,
    }));
    writeArtifacts({ disk, random, paths }, artifacts);
  }
};

const waitingFor = (id: string, tasks: readonly TaskDefinition[]): readonly string[] =>
  tasks.filter(({ blockedBy }) => blockedBy.includes(id)).map((task) => task.id);
