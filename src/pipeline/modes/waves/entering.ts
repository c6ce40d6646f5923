import { questionKinds } from '../../../signals/question-kinds.ts';
import type { Patch } from '../../handler.ts';
import { leftOpen } from '../../left-open.ts';
import type { Owned } from '../../maps.ts';
import type { SessionState } from '../../state.ts';
import { isFinished } from './plan-steps.ts';

/** Changes on entering a state, besides its name: COMPLETE drops work under way, BATCHING starts the waves again. */
export const entering = (state: SessionState, name: SessionState['state'], own: Owned): Patch => {
  if (name === 'COMPLETE')
    return {
      hold: null,
      drain: null,
      gate: null,
      batch: [],
      invocations: new Map(),
      retries: new Map(),
      noResults: new Map(),
      questions: new Map([...state.questions].filter(([, { kind }]) => !questionKinds[kind].ofIteration)),
      quotaUntil: null,
      usedUp: new Map(),
      limit: null,
      timeUp: false,
    };
  const woken = state.state === 'COMPLETE' ? reopening : {};
  if (name === 'BATCHING')
    return { ...woken, batch: [], tasks: leftOpen(state, own), ...withoutKnowledge(state) };
  return woken;
};

const reopening = { status: 'in_progress', stopReason: null, reopened: false } as const;

/** Drops the conclusions from earlier tasks when work resumes after they were drawn. They are drawn again later. */
const withoutKnowledge = (state: SessionState): Patch => {
  if (state.review === null && !isFinished(state, 'plan-knowledge-extraction')) return null;
  const planItems = new Map(state.planItems);
  planItems.set('plan-knowledge-extraction', { mark: 'open', note: null });
  planItems.set('plan-knowledge-approval', { mark: 'open', note: null });
  return { review: null, decision: null, gate: null, planItems };
};
