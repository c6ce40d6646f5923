import { z } from 'zod';
import { verdictSchema } from '../../signals/signal.ts';

/** Fields that events share. */
export const id = z.string();
export const task = z.string();
export const invocation = z.string();
export const attempt = z.number().int();
/** A `Fault`. */
export const fault = z.object({
  code: z.string(),
  what: z.string(),
  where: z.string().exactOptional(),
  hint: z.string().exactOptional(),
});
export const message = z.object({
  id,
  kind: z.enum(['STEER', 'INFO', 'PAUSE', 'RESUME', 'RETRY']),
  text: z.string(),
  from: z.string().optional(),
  apply: verdictSchema.optional(),
  /** An order that an earlier agent on the task took. */
  inForce: z.literal(true).optional(),
  unproven: z.literal(true).optional(),
});

/** Every mode of a role (src/engine/README.md, States). */
export const modeSchema = z.enum([
  'INITIALIZE',
  'TASK_BREAKDOWN',
  'UPDATE',
  'REBREAKDOWN',
  'REBREAKDOWN_TASK',
  'brainstorm',
  'research',
  'feedback-analysis',
  'IMPLEMENT',
  'TASK_REVIEW',
  'SESSION_REVIEW',
  'STAGE',
  'PROMOTE',
]);

/** Position of a piece of output in its log file: bytes, and the number of lines. */
export const logPiece = z.object({
  file: z.string(),
  from: z.number(),
  to: z.number(),
  lines: z.number().optional(),
});
