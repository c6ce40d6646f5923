import { attemptChanges } from '../../changes/attempt-changes.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import type { FlowState } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';
import { revising } from './revising.ts';

/**
 * The last step before work is on the branch of its stream, from where nothing takes it off again: its issues are read once more, and what a person did to
 * them since the last poll counts first. `null`: another step on the tracker ends before.
 */
export const landing = (
  state: SessionState,
  flow: FlowState,
  list: readonly Listed[],
  start: Extract<EventBody, { type: 'landing.started' }>,
): EventBody | null => {
  const own = list.find(({ listed }) => listed.id === start.task);
  const commit = own && attemptChanges(state, own.task)?.merged;
  if (own === undefined || commit == null) return start;
  if (flow.step !== null) return null;
  if (own.work.seenFor !== commit)
    return { type: 'flow.step-started', step: { kind: 'see-issues', task: start.task, commit } };
  return revising(state, flow, list) ?? start;
};
