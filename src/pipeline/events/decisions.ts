import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { questionKindSchema, questionOptionSchema } from '../../signals/question-kinds.ts';
import { attempt, id, invocation, task } from './fields.ts';

/** In journals of earlier versions a choice is a text. */
const writtenOption = z.preprocess(
  (value) => (typeof value === 'string' ? { id: value } : value),
  questionOptionSchema,
);

/** Signals to the session as a whole. */
const holdEvents = () =>
  [
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
    /** The person takes back an order that agents took or would get. */
    z.object({
      type: z.literal('order.withdrawn'),
      order: id,
      text: z.string(),
      by: z.string(),
      signal: id.nullable(),
    }),
  ] as const;

/** Gates, questions and deadlines. */
const gateEvents = () =>
  [
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
      kind: questionKindSchema.default('ask'),
      text: z.string(),
      options: z.array(writtenOption),
      /** The agent that asked; `null` for a question of the session. */
      invocation: invocation.nullable(),
      task: task.optional(),
      attempt: attempt.optional(),
      /** `no-result`: the purpose of the turns that ended without one. */
      slot: z.string().optional(),
      /** `plan-review`: the plan and the validator's critique, relative to the workspace. */
      document: z.string().optional(),
      critique: z.string().optional(),
    }),
    z.object({
      type: z.literal('question.answered'),
      request: z.string(),
      /** The id of the choice; absent for words alone. */
      option: z.string().optional(),
      /** The words, else the id of the choice. */
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

/** Facts from session-level signals, gates, questions and deadlines. */
export const decisionsEvents = late(() => [...holdEvents(), ...gateEvents()] as const);
