import { z } from 'zod';

/** The ten states of the machine, in the order the header shows them (engine.md, States). */
export const stateNameSchema = z.enum([
  'INITIALIZING',
  'PLANNING',
  'REPLANNING',
  'BATCHING',
  'EXECUTING_BATCH',
  'REVIEWING_BATCH',
  'SESSION_REVIEW',
  'KNOWLEDGE_EXTRACTION',
  'KNOWLEDGE_APPROVAL',
  'COMPLETE',
]);
export type StateName = z.infer<typeof stateNameSchema>;

/** `status` of `metadata.yaml` (session-format.md); "crashed" is never written, it is derived from a dead host. */
export const sessionStatusSchema = z.enum([
  'in_progress',
  'completed',
  'awaiting_feedback',
  'paused',
  'aborted',
  'blocked',
]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** Plan and knowledge items of `progress.md`; the first four for iteration 1, the next four for later ones. */
export const planItemSchema = z.enum([
  'plan-init',
  'plan-brainstorm',
  'plan-research',
  'plan-breakdown',
  'plan-rebrainstorm',
  'plan-reresearch',
  'plan-update',
  'plan-rebreakdown',
  'plan-knowledge-extraction',
  'plan-knowledge-approval',
]);
export type PlanItem = z.infer<typeof planItemSchema>;
