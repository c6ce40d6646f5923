import { splitByStreams } from '../../../issues/task-list/change-task-list.ts';
import type { FlowPart } from './flow-part.ts';
import { define } from './planning.ts';
import { freshList, standingOfFlow } from './position-of-flow.ts';

/** After research, the tail of the group is replaced by parts for each stream. Nothing changes once there is one of them. */
export const streamStep: FlowPart = (state, flow, list) => {
  if (list.some(({ listed }) => listed.span === 'stream')) return null;
  const tail = list.filter(({ task, listed }) => listed.span === 'group' && task.status === 'open');
  const isEarly = list.some(
    ({ task, listed }) =>
      (listed.phase === 'triage' || listed.phase === 'research') &&
      (task.status === 'open' || task.status === 'running' || task.status === 'review'),
  );
  if (tail.length === 0 || isEarly) return null;
  const standing = standingOfFlow(flow);
  if (standing === null || standing.streams.length < 2) return null;
  const started = new Set(
    list
      .filter(({ task }) => task.status !== 'open' && task.status !== 'cancelled')
      .map(({ listed }) => listed.id),
  );
  const tasks = list.map(({ listed }) => listed);
  const { added, replaced } = splitByStreams(tasks, freshList(flow, standing), started);
  if (added.length === 0) return null;
  const defined = define(state, standing, added);
  return {
    ...defined,
    tasks: [
      ...defined.tasks,
      ...[...replaced].flatMap(([id, parts]) => {
        const known = state.tasks.get(id)?.definition;
        return known === undefined ? [] : [{ ...known, replaced_by: [...parts] }];
      }),
    ],
  };
};
