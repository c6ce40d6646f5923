import type { WavesState } from '../../../session/status.ts';
import { firstPlan, openItems } from '../../initial.ts';
import type { PipelineMode } from '../mode.ts';
import type { Stage } from '../stage.ts';
import { batching } from './batching.ts';
import { complete } from './complete.ts';
import { entering } from './entering.ts';
import { executingBatch } from './executing-batch.ts';
import { initializing } from './initializing.ts';
import { knowledgeApproval } from './knowledge-approval.ts';
import { knowledgeExtraction } from './knowledge-extraction.ts';
import { planning } from './planning.ts';
import { replanning } from './replanning.ts';
import { reviewingBatch } from './reviewing-batch.ts';
import { sessionReview } from './session-review.ts';
import { strip } from './strip.ts';
import { windDown } from './wind-down.ts';

/** Total: a new state does not compile without its stage. */
const stages: Readonly<Record<WavesState, Stage>> = {
  INITIALIZING: initializing,
  PLANNING: planning,
  REPLANNING: replanning,
  BATCHING: batching,
  EXECUTING_BATCH: executingBatch,
  REVIEWING_BATCH: reviewingBatch,
  SESSION_REVIEW: sessionReview,
  KNOWLEDGE_EXTRACTION: knowledgeExtraction,
  KNOWLEDGE_APPROVAL: knowledgeApproval,
  COMPLETE: complete,
};

/** Plan, work in waves, review, learn (src/engine/README.md, States). */
export const waves: PipelineMode = {
  name: 'waves',
  first: 'INITIALIZING',
  last: 'COMPLETE',
  stages,
  plansAgain: true,
  readsFeedback: true,
  created: () => ({ planItems: openItems(firstPlan) }),
  // An ABORT that a crash cut short ends this start at once: feedback waits for the next one, and no message for it.
  started: ({ state, abort }) => ({ lookingForFeedback: state === 'COMPLETE' && abort === null }),
  windDown,
  reopened: (state) => ({ reopened: state.reopened || state.state === 'COMPLETE' }),
  strip,
  entering,
};
