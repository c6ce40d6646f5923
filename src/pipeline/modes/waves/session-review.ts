import { invoke } from '../../invoke.ts';
import { enter } from '../../step.ts';
import { hasOpenWork } from '../../waves.ts';
import type { Stage } from '../stage.ts';

/** The Reviewer looks at the whole iteration. A task reopened meanwhile comes first. */
export const sessionReview: Stage = (state) => {
  if (state.invocations.size > 0) return null;
  if (hasOpenWork(state)) return enter(state, 'BATCHING', 'a task was reopened');
  return state.review ? enter(state, 'KNOWLEDGE_EXTRACTION') : invoke(state, { mode: 'SESSION_REVIEW' });
};
