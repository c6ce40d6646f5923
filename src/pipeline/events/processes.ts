import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { commandSchema } from '../../tasks/task.ts';
import { attempt, invocation, logPiece, task } from './fields.ts';

/** Commands and processes. `command.started` is the intent line before the spawn (src/engine/README.md, Processes). */
export const processesEvents = late(
  () =>
    [
      z.object({
        type: z.literal('command.started'),
        invocation,
        task: task.optional(),
        attempt: attempt.optional(),
        index: z.number().int(),
        of: z.number().int(),
        purpose: z.enum(['run', 'verify', 'on_steer', 'setup']),
        command: commandSchema,
        marker: z.string(),
      }),
      z.object({
        type: z.literal('process.started'),
        invocation,
        index: z.number().int(),
        pid: z.number().int(),
        start_time: z.string(),
      }),
      z.object({
        type: z.literal('command.ended'),
        invocation,
        task: task.optional(),
        attempt: attempt.optional(),
        index: z.number().int(),
        exit: z.string(),
        ok: z.boolean(),
        duration_ms: z.number(),
        /** Its output. */
        log: logPiece.optional(),
      }),
      z.object({
        type: z.literal('processes.stopped'),
        reason: z.string(),
        stopped: z.array(z.number()),
        unverified: z.array(z.number()),
      }),
      /** Ephemeral: never journaled. The log file keeps the bytes. */
      z.object({
        type: z.literal('output.written'),
        invocation,
        task: task.optional(),
        attempt: attempt.optional(),
        stream: z.enum(['stdout', 'stderr']),
        text: z.string(),
        /** Offset of its first character in the log file; absent when unknown. */
        byte: z.number().optional(),
        /** Bytes before it that only the file has. */
        skipped: z.number().optional(),
      }),
    ] as const,
);
