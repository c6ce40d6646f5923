import type { StateName } from '../../session/status.ts';
import { batching } from './batching.ts';
import { complete } from './complete.ts';
import { executingBatch } from './executing-batch.ts';
import { initializing } from './initializing.ts';
import { knowledgeApproval } from './knowledge-approval.ts';
import { knowledgeExtraction } from './knowledge-extraction.ts';
import { planning } from './planning.ts';
import { replanning } from './replanning.ts';
import { reviewingBatch } from './reviewing-batch.ts';
import { sessionReview } from './session-review.ts';
import type { Stage } from './stage.ts';

/** The machine's states (engine.md, States): a new state does not compile until its stage stands here. */
export const stages: Readonly<Record<StateName, Stage>> = {
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
