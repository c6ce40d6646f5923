import { ends, stopped } from '../../ends.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { GateDecision, SessionState } from '../../state.ts';
import { enter, nowOf } from '../../step.ts';
import { hasOpenWork } from '../../waves.ts';
import type { Stage } from '../stage.ts';
import { completed } from './completed.ts';
import { isFinished } from './plan-steps.ts';

/** APPROVE promotes, SKIP does not, the deadline carries forward. Without a deadline (`none`) it waits for ever: without a screen the session stops meanwhile. */
export const knowledgeApproval: Stage = (state) => {
  if (state.invocations.size > 0) return null;
  if (hasOpenWork(state)) return enter(state, 'BATCHING', 'a task was reopened');
  if (isFinished(state, 'plan-knowledge-approval')) return completed(state);
  if (state.gate) return undecided(state);
  return state.decision ? decided(state, state.decision) : opened(state);
};

const opened = (state: SessionState): EventBody => {
  const timeout = state.settings.knowledge.approval_timeout;
  return {
    type: 'gate.opened',
    gate: 'knowledge',
    iteration: state.iteration,
    deadline_ms: timeout === null ? null : nowOf(state) + timeout,
    files: offered(state),
  };
};

const offered = ({ knowledge }: SessionState): string[] => [
  ...new Set([...knowledge.staged, ...knowledge.carried]),
];

const undecided = (state: SessionState): EventBody | null =>
  state.attended || state.gate?.deadlineMs !== null
    ? null
    : stopped(state, ends.gate('the lessons are waiting for approval'));

const decided = (state: SessionState, { decision, by, message, files }: GateDecision): EventBody | null => {
  // What is in the folder by now may be more than the person was shown.
  if (decision === 'approve') return invoke(state, { mode: 'PROMOTE', promote: files ?? offered(state) });
  const notes = {
    skip: message ?? `Skipped by ${by}`,
    carry: `Carried forward: ${by}`,
    abort: 'Aborted by signal',
  };
  return {
    type: 'plan-item.marked',
    item: 'plan-knowledge-approval',
    mark: 'cancelled',
    note: notes[decision],
  };
};
