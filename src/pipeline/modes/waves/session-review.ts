import type { EventBody } from '../../event.ts';
import { agentFor, invoke } from '../../invoke.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import { hasOpenWork } from '../../waves.ts';
import type { Stage } from '../stage.ts';
import { isFinished } from './plan-steps.ts';

/** The Reviewer looks at the whole iteration, and an agent of a model collects the lessons beside it. A task reopened meanwhile comes first. */
export const sessionReview: Stage = (state) => {
  const modes = [...state.invocations.values()].map(({ mode }) => mode);
  if (hasOpenWork(state)) return modes.length > 0 ? null : enter(state, 'BATCHING', 'a task was reopened');
  if (state.review) return modes.includes('SESSION_REVIEW') ? null : enter(state, 'KNOWLEDGE_EXTRACTION');
  const review = modes.includes('SESSION_REVIEW') ? null : invoke(state, { mode: 'SESSION_REVIEW' });
  return review ?? (modes.includes('SESSION_REVIEW') ? lessonsBeside(state, modes.includes('STAGE')) : null);
};

/** Lessons need nothing of the review, and both take as long as their models. The work of code takes a moment, and follows. */
const lessonsBeside = (state: SessionState, isUnderWay: boolean): EventBody | null =>
  isUnderWay ||
  isFinished(state, 'plan-knowledge-extraction') ||
  agentFor(state, 'SESSION_REVIEW', null) === 'script' ||
  agentFor(state, 'STAGE', null) === 'script'
    ? null
    : invoke(state, { mode: 'STAGE', item: 'plan-knowledge-extraction' });
