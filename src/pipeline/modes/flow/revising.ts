import { directiveOf } from '../../../issues/task-list/directive.ts';
import type { ListEntry } from '../../../issues/task-list/list-entry.ts';
import { hasSameIds, reviseList } from '../../../issues/task-list/revise-list.ts';
import { storedTask } from '../../../issues/task-list/stored-task.ts';
import { failedForGood } from '../../../tasks/graph.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import type { FlowPart } from './flow-part.ts';
import { type FlowReading, isRecorded, lostReason } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';
import { define } from './planning.ts';
import { type FlowStanding, indexOfReading, standingOfFlow } from './position-of-flow.ts';

/**
 * Brings the list up to what happened to its issues and tasks: first what has other issues or blockers now, and what is missing; then what is off. The same
 * state always gives the same, so that a crash in between loses nothing.
 */
export const revising: FlowPart = (state, flow, list) => {
  const { reading } = flow;
  if (flow.step !== null || reading === null) return null;
  const { changed, added, off } = reviseList(
    list.map((each) => entryOf(state, each)),
    {
      index: indexOfReading(withoutFailures(reading, list)),
      gone: new Set(flow.gone),
      review: flow.review,
      autoMerge: flow.auto_merge,
    },
  );
  const standing = changed.length + added.length > 0 ? standingOfFlow(flow) : null;
  if (standing !== null) return defined(state, standing, list, changed, added);
  const [first] = off;
  return first === undefined ? null : { type: 'task.cancelled', task: first.id, reason: first.reason };
};

/**
 * What needs a person because a task of this session failed stays where it was: the tasks after that one wait for it, and a RETRY revives them.
 */
const withoutFailures = (reading: FlowReading, list: readonly Listed[]): FlowReading => {
  const before = new Map(
    list.flatMap(({ work }) => (work.left ?? []).map(({ issue, from }) => [issue, from] as const)),
  );
  if (before.size === 0) return reading;
  return {
    ...reading,
    issues: reading.issues.map((issue) => ({
      ...issue,
      state: issue.state === 'Human Needed' ? (before.get(issue.id) ?? issue.state) : issue.state,
    })),
  };
};

const entryOf = (state: SessionState, { task, listed, work }: Listed): ListEntry => {
  const isFailed = failedForGood(task, state.settings.retries.max_attempts);
  const { result } = work;
  return {
    task: listed,
    standing: isFailed ? 'failed' : standings[task.status],
    // The engine moves the issues of a task before it is done.
    kept: task.status === 'open' && isRecorded(work),
    lost: lostReason(work),
    action: result?.recorded === true && result.phase === 'triage' ? (result.action ?? null) : null,
  };
};

const standings: Readonly<Record<Listed['task']['status'], ListEntry['standing']>> = {
  open: 'open',
  failed: 'open',
  running: 'active',
  review: 'active',
  done: 'done',
  cancelled: 'off',
};

const defined = (
  state: SessionState,
  standing: FlowStanding,
  list: readonly Listed[],
  changed: readonly Listed['listed'][],
  added: readonly Listed['listed'][],
): EventBody => {
  const known = new Map(list.map((each) => [each.listed.id, each]));
  const edited = changed.flatMap((task) => {
    const before = known.get(task.id);
    if (before === undefined) return [];
    const { definition } = before.task;
    if (hasSameIds(task.issues, before.listed.issues)) return [{ ...definition, blockedBy: task.blockedBy }];
    const issues = task.issues.flatMap((id) => standing.index.byId.get(id) ?? []);
    const stored = storedTask(task, { iteration: definition.iteration });
    return [
      {
        ...definition,
        blockedBy: task.blockedBy,
        objective: directiveOf(task, issues, state.goal),
        metadata: { ...definition.metadata, ...stored.metadata },
      },
    ];
  });
  const fresh = define(state, standing, added);
  return { ...fresh, tasks: [...edited, ...fresh.tasks] };
};
