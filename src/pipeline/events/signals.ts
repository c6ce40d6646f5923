import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { pendingSignalSchema, signalSchema } from '../../signals/signal.ts';
import { decidedSchema } from '../../signals/steer-decision.ts';
import { id, invocation, message, task } from './fields.ts';

/** The life of a signal (src/signals/README.md). */
export const signalsEvents = late(
  () =>
    [
      z.object({
        type: z.literal('signal.pending'),
        pending: pendingSignalSchema,
        waits_for: z.string(),
        /** It waits for a person to confirm it. */
        unproven: z.literal(true).optional(),
      }),
      z.object({
        type: z.literal('signal.claimed'),
        id,
        file: z.string(),
        signal: signalSchema,
        by: z.string(),
        checkpoint: z.string(),
      }),
      /** Also the record that the signal was acted on for this recipient, looked up before acting again (rule 7). */
      z.object({
        type: z.literal('signal.delivered'),
        id,
        recipient: z.string(),
        checkpoint: z.string(),
        how: z.enum(['context', 'tree', 'guidance', 'injected', 'tool-result', 'prompt']),
        message: message.optional(),
        broadcast: z.boolean(),
      }),
      z.object({ type: z.literal('signal.queued'), id, reason: z.string() }),
      z.object({
        type: z.literal('steer.decided'),
        id,
        invocation,
        task: task.optional(),
        verdict: decidedSchema,
        evidence: z.string(),
        action: z.string(),
      }),
      z.object({
        type: z.literal('signal.handled'),
        id,
        file: z.string(),
        signal: signalSchema,
        handled_by: z.string(),
        checkpoint: z.string(),
        action_taken: z.string(),
        invocation: invocation.nullable(),
        /** The agent had the order and said nothing of it: it was delivered, and no more is known. */
        answered: z.literal(false).optional(),
      }),
      z.object({
        type: z.literal('signal.rejected'),
        id: id.nullable(),
        file: z.string(),
        reason: z.string(),
      }),
      z.object({
        type: z.literal('signal.undelivered'),
        id,
        file: z.string(),
        signal: signalSchema,
        reason: z.string(),
      }),
      z.object({
        type: z.literal('signal.withdrawn'),
        id,
        file: z.string(),
        signal: signalSchema,
        by: z.string(),
      }),
    ] as const,
);
