import { z } from 'zod';

/** The mode in which the pipeline runs a session. Each mode has its own states. */
export const sessionModeSchema = z.enum(['waves', 'loop', 'flow']);
export type SessionMode = z.infer<typeof sessionModeSchema>;

/** The ten states of mode `waves`, in the order of the machine (src/engine/README.md, States). */
const wavesStateSchema = z.enum([
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
export type WavesState = z.infer<typeof wavesStateSchema>;

/** The states of mode `flow`: those of waves without planners and batches (src/issues/README.md, How it sits in the pipeline). */
export type FlowStateName = Extract<
  WavesState,
  | 'PLANNING'
  | 'EXECUTING_BATCH'
  | 'SESSION_REVIEW'
  | 'KNOWLEDGE_EXTRACTION'
  | 'KNOWLEDGE_APPROVAL'
  | 'COMPLETE'
>;

/** The states of mode `loop` (src/discovery/README.md, The loop). */
const loopStateSchema = z.enum(['RUNNING', 'DRAINING', 'STOPPED']);
export type LoopStateName = z.infer<typeof loopStateSchema>;

/** Every state of every mode: the values of `orchestrator.state` in metadata.yaml. */
export const stateNameSchema = z.enum([...wavesStateSchema.options, ...loopStateSchema.options]);
export type StateName = z.infer<typeof stateNameSchema>;

/** `status` of `metadata.yaml` (src/session/README.md). "crashed" is never written: it is derived from a dead host. */
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

/** Whether a session has ended. A loop that stopped as paused has not: it can be resumed. */
export const isComplete = (
  session: { readonly state: StateName | null; readonly status: SessionStatus | null } | null | undefined,
): boolean =>
  session?.state === 'COMPLETE' ||
  (session?.state === 'STOPPED' && session.status !== null && endedStatuses.has(session.status));

const endedStatuses: ReadonlySet<SessionStatus> = new Set([
  'completed',
  'awaiting_feedback',
  'aborted',
] as const);

/** The words for a session's status in summaries, in `status` and in every list of sessions. */
export const statusWords = (status: string): string =>
  status === failedStatus ? 'ended with failures' : status.replaceAll('_', ' ');

/** The protocol's name: the session waits for feedback about its failures. */
export const failedStatus = 'awaiting_feedback';

/** `stop_reason` of an end that its status says already. */
export const plainReasons = {
  completed: 'completed',
  [failedStatus]: 'failed tasks',
  aborted: 'aborted',
} as const;

const plain: ReadonlySet<string> = new Set(Object.entries(plainReasons).map((each) => each.join(': ')));

/** Why a session stopped, as far as its status does not say it; '' where it does. */
export const furtherReason = (status: string, reason: string): string =>
  reason === status || plain.has(`${status}: ${reason}`) ? '' : reason;
