import { z } from 'zod';
import { taskStatusSchema } from '../../tasks/task.ts';
import { attempt, id, invocation, task } from './fields.ts';

/** What becomes of a task; the only source of its status. */
export const tasksEvents = [
  z.object({ type: z.literal('task.started'), task, attempt, invocation, owner: z.string() }),
  z.object({ type: z.literal('task.submitted'), task, attempt, invocation, files: z.array(z.string()) }),
  z.object({
    type: z.literal('task.qualified'),
    task,
    attempt,
    invocation: invocation.optional(),
    /** Its hash, or what else came of it: `success`, `failed`, `skipped`. */
    commit: z.string().optional(),
    /** Where none was made: why. */
    commit_detail: z.string().optional(),
  }),
  /** `counts`: whether it uses up one of `retries.max_attempts`. */
  z.object({
    type: z.literal('task.failed'),
    task,
    attempt,
    reason: z.string(),
    counts: z.boolean(),
    /** No further attempt, whatever is left of the cap: "Task definition missing", ten crashes in a row. */
    final: z.boolean().optional(),
    invocation: invocation.optional(),
  }),
  z.object({
    type: z.literal('task.interrupted'),
    task,
    attempt,
    reason: z.string(),
    invocation: invocation.optional(),
  }),
  z.object({
    type: z.literal('task.escalated'),
    task,
    attempt,
    message: z.string(),
    invocation: invocation.optional(),
  }),
  z.object({
    type: z.literal('task.reset'),
    task,
    reason: z.string(),
    message: z.string().optional(),
    signal: id.optional(),
  }),
  z.object({ type: z.literal('task.cancelled'), task, reason: z.string(), signal: id.optional() }),
  z.object({ type: z.literal('task.replaced'), task, by: z.array(task) }),
  /** The engine found no file for a task that is to run; it fails with "Task definition missing" when its turn comes. */
  z.object({ type: z.literal('task.file-missing'), task }),
  z.object({ type: z.literal('task.edited-by-hand'), task, from: taskStatusSchema, to: taskStatusSchema }),
] as const;
