import type { Mode } from '../../agents/port.ts';
import type { TaskId } from '../../tasks/task.ts';
import { runnerFor } from '../agents/placement.ts';
import { agentInstead } from '../agents/quota.ts';
import { agentFor } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';
import { openBlockers } from '../waves.ts';

/** Works of one agent in the place of the one before them that start at one time or soon after each other, if all goes well; the mode is that of the first. */
export interface WorkAhead {
  readonly mode: Mode;
  readonly backend: string;
  readonly count: number;
}

/** Nobody knows before the plan how many tasks start at once, and each agent that waits for one takes its memory. */
const mostForPlan = 2;

/**
 * What follows the work of this invocation on this machine, so that its agents start while this one works. Nothing where a person or a limit decides first. In
 * worktrees only the review of the work is known: each other work begins in a tree that does not exist yet.
 */
export const worksAhead = (state: SessionState, id: string): readonly WorkAhead[] => {
  const invocation = state.invocations.get(id);
  if (invocation === undefined || state.mode !== 'waves') return [];
  if (state.hold !== null || state.drain !== null || state.abort !== null || state.quotaUntil !== null)
    return [];
  const found = [...following(state, invocation)].flatMap(({ mode, task = null, count = 1 }) => {
    const backend = agentInstead(state, agentFor(state, mode, task));
    return runnerFor(state, mode, task ?? undefined, backend) === null ? [{ mode, backend, count }] : [];
  });
  // Two roles of one agent need two of its processes, which start together.
  return found
    .filter(({ backend }, index) => found.findIndex((each) => each.backend === backend) === index)
    .map((work) => ({ ...work, count: sumOf(found.filter(({ backend }) => backend === work.backend)) }));
};

const sumOf = (works: readonly WorkAhead[]): number => works.reduce((sum, { count }) => sum + count, 0);

interface Following {
  readonly mode: Mode;
  readonly task?: TaskState | null;
  readonly count?: number;
}

const following = (state: SessionState, { mode, task }: Invocation): readonly Following[] => {
  const { max_parallel_executors: executors, max_parallel_reviewers: reviewers } = state.settings.concurrency;
  const isShared = !isIsolated(state);
  const works = [...state.invocations.values()].filter((each) => each.mode === 'IMPLEMENT').length;
  const first = Math.min(executors, mostForPlan);
  const more = first - 1;
  switch (mode) {
    case 'brainstorm':
    case 'research':
      // A plan may be there sooner than some agents have started. One agent of the tasks is that of the plan.
      return [
        { mode: 'TASK_BREAKDOWN' },
        ...(isShared && more > 0 ? [{ mode: 'IMPLEMENT', count: more } as const] : []),
      ];
    case 'TASK_BREAKDOWN':
    case 'REBREAKDOWN':
      return isShared ? [{ mode: 'IMPLEMENT', count: first }] : [];
    case 'IMPLEMENT': {
      const own = task === null ? undefined : state.tasks.get(task);
      const count = isShared ? Math.min(works, reviewers) : 1;
      return own === undefined || state.settings.review !== 'agent'
        ? []
        : [{ mode: 'TASK_REVIEW', task: own, count }];
    }
    case 'TASK_REVIEW':
      if (!isShared) return [];
      if (isLast(state, task)) return [{ mode: 'SESSION_REVIEW' }, { mode: 'STAGE' }];
      return waitsForReviews(state) ? [{ mode: 'IMPLEMENT' }] : [];
    default:
      return [];
  }
};

/** A task can start as soon as results are reviewed that are there. */
const waitsForReviews = (state: SessionState): boolean =>
  [...state.tasks.values()].some((task) => {
    const blockers = openBlockers(state, task);
    const isNext = blockers.every((id) => state.tasks.get(id)?.status === 'review');
    return task.status === 'open' && blockers.length > 0 && isNext;
  });

/** Only the review of this task is left. */
const isLast = ({ tasks }: SessionState, task: TaskId | null): boolean =>
  [...tasks.values()].every(
    ({ definition, status }) => definition.id === task || status === 'done' || status === 'cancelled',
  );
