import { z } from 'zod';
import { id, invocation } from './fields.ts';

/** Facts from session-level signals, gates, questions and deadlines. */
export const decisionsEvents = [
  z.object({
    type: z.literal('hold.requested'),
    signal: id.nullable(),
    by: z.string(),
    message: z.string().optional(),
  }),
  z.object({ type: z.literal('hold.begun'), processes: z.number().int() }),
  z.object({
    type: z.literal('hold.ended'),
    signal: id.nullable(),
    by: z.string(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('abort.requested'),
    signal: id.nullable(),
    by: z.string(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('drain.requested'),
    signal: id.nullable(),
    by: z.string(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('gate.opened'),
    gate: z.enum(['knowledge', 'plan']),
    iteration: z.number().int(),
    deadline_ms: z.number().nullable(),
    files: z.array(z.string()),
  }),
  z.object({
    type: z.literal('gate.decided'),
    gate: z.enum(['knowledge', 'plan']),
    decision: z.enum(['approve', 'skip', 'carry', 'abort']),
    by: z.string(),
    signal: id.nullable(),
    files: z.array(z.string()).optional(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('knowledge.staged'),
    files: z.array(z.string()),
    carried: z.array(z.string()),
    dropped: z.array(z.string()),
    invocation: invocation.optional(),
  }),
  z.object({
    type: z.literal('knowledge.promoted'),
    files: z.array(z.string()),
    invocation: invocation.optional(),
  }),
  z.object({
    type: z.literal('question.asked'),
    request: z.string(),
    text: z.string(),
    options: z.array(z.string()),
    invocation: invocation.nullable(),
  }),
  z.object({
    type: z.literal('question.answered'),
    request: z.string(),
    answer: z.string(),
    by: z.string(),
    signal: id.nullable(),
  }),
  z.object({
    type: z.literal('session.reviewed'),
    assessment: z.string(),
    goals_achieved: z.boolean(),
    gaps: z.array(z.string()),
    invocation: invocation.optional(),
  }),
  /** Always follows `look-for-feedback`. No directories when there is none. */
  z.object({
    type: z.literal('feedback.found'),
    iteration: z.number().int(),
    directories: z.array(z.string()),
  }),
  z.object({ type: z.literal('timer.fired'), timer: z.string() }),
] as const;
