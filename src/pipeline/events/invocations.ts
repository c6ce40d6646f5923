import { z } from 'zod';
import { outcomeSchema } from '../../agents/outcome.ts';
import { late } from '../../base/memoise.ts';
import { planItemSchema } from '../../session/status.ts';
import { roleSchema } from '../../signals/signal.ts';
import { taskDefinitionSchema } from '../../tasks/task.ts';
import { attempt, fault, invocation, message, modeSchema, task } from './fields.ts';

/** The life of one call of a role, with the checkpoints it passes. */
export const invocationsEvents = late(
  () =>
    [
      z.object({
        type: z.literal('invocation.started'),
        invocation,
        role: roleSchema,
        mode: modeSchema,
        backend: z.string(),
        /** The agent that would do it, if its quota were not used up. */
        instead_of: z.string().optional(),
        /** The runner that it works on. Absent: this machine. */
        runner: z.string().optional(),
        /** The worker of a team that does it. */
        worker: z.string().optional(),
        cycle: z.number().int(),
        task: task.optional(),
        attempt: attempt.optional(),
        item: planItemSchema.optional(),
        promote: z.array(z.string()).optional(),
        messages: z.array(message),
      }),
      z.object({ type: z.literal('invocation.resumed'), invocation, messages: z.array(message) }),
      z.object({
        type: z.literal('invocation.paused'),
        invocation,
        checkpoint: z.string().optional(),
        continuation: z.unknown(),
      }),
      z.object({
        type: z.literal('invocation.ended'),
        invocation,
        outcome: outcomeSchema(),
        tasks: z.array(taskDefinitionSchema).optional(),
        escalation: z.string().optional(),
      }),
      z.object({
        type: z.literal('invocation.failed'),
        invocation,
        kind: z.enum(['call', 'no-result', 'timeout', 'stall', 'quota']),
        fault,
        until: z.number().optional(),
      }),
      z.object({
        type: z.literal('invocation.interrupted'),
        invocation,
        reason: z.enum(['crash', 'quit', 'abort', 'cancel', 'retry']),
      }),
      /** Settles an ended invocation where no other fact does: its result is stale, or it simply starts again. */
      z.object({ type: z.literal('invocation.settled'), invocation, reason: z.string() }),
      z.object({
        type: z.literal('checkpoint.reached'),
        agent: z.string(),
        checkpoint: z.string(),
        invocation: invocation.nullable(),
      }),
      z.object({
        type: z.literal('retry.scheduled'),
        retry: z.string(),
        at_ms: z.number(),
        tries: z.number().int(),
        reason: z.string().optional(),
        /** The failed invocation that this settles. */
        invocation: invocation.optional(),
      }),
      z.object({
        type: z.literal('finding.noted'),
        invocation,
        text: z.string(),
        /** A permission was refused, and nobody was asked. Journals before it only say so. */
        refused: z.literal(true).optional(),
      }),
    ] as const,
);
