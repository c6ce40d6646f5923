import { z } from 'zod';
import { commandResultSchema } from '../../agents/command-result.ts';
import { late } from '../../base/memoise.ts';
import { commandSchema, taskStatusSchema } from '../../tasks/task.ts';
import { failureCauseSchema } from './failure-cause.ts';
import { attempt, id, invocation, task } from './fields.ts';

/** Its attempts. */
const attemptEvents = () =>
  [
    z.object({ type: z.literal('task.started'), task, attempt, invocation, owner: z.string() }),
    z.object({
      type: z.literal('task.submitted'),
      task,
      attempt,
      invocation,
      files: z.array(z.string()),
      /** Mode `flow`: what its phase asks for. */
      result: z.record(z.string(), z.unknown()).optional(),
    }),
    /** Its `verify` commands passed, before the review. */
    z.object({
      type: z.literal('task.verified'),
      task,
      attempt,
      invocation,
      results: z.array(commandResultSchema).readonly(),
    }),
    /** Its `verify` commands failed while others worked in the same tree. They run once more when nothing else does, before it counts. */
    z.object({ type: z.literal('verify.disturbed'), task, attempt, invocation, reason: z.string() }),
    /** It is done, its `verify` passed while others worked in the same tree, and these files have changed since. It runs once more before the session ends. */
    z.object({ type: z.literal('verify.outdated'), task, attempt, files: z.array(z.string()) }),
    z.object({
      type: z.literal('task.qualified'),
      task,
      attempt,
      invocation: invocation.optional(),
      /** The commit's hash, or `success`, `failed`, `skipped`. */
      commit: z.string().optional(),
      /** Why there is no commit. */
      commit_detail: z.string().optional(),
      /** Changed hooks that a person has to look at before anything is committed. */
      commit_unseen: z.array(z.string()).readonly().optional(),
    }),
    /** `counts`: true when it uses up one of `retries.max_attempts`. */
    z.object({
      type: z.literal('task.failed'),
      task,
      attempt,
      reason: z.string(),
      /** Journals before it have only the reason. */
      cause: failureCauseSchema.optional(),
      counts: z.boolean(),
      /** No further attempt, even below the cap: "Task definition missing", ten crashes in a row. */
      final: z.boolean().optional(),
      /** The next attempt begins without what this one left. */
      afresh: z.literal(true).optional(),
      invocation: invocation.optional(),
    }),
    z.object({
      type: z.literal('task.interrupted'),
      task,
      attempt,
      reason: z.string(),
      invocation: invocation.optional(),
    }),
  ] as const;

/** What becomes of it apart from them. */
const givenEvents = () =>
  [
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
      /** Who wrote the message, unless a person did: agents get words of others as data. */
      from: z.string().optional(),
      signal: id.optional(),
    }),
    z.object({ type: z.literal('task.cancelled'), task, reason: z.string(), signal: id.optional() }),
    /** Facts that an agent left for later tasks (`task_update`, metadata). */
    z.object({
      type: z.literal('task.annotated'),
      task,
      invocation,
      metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
    /** A person agreed on the hosting screen to commands that were edited in the task's file. */
    z.object({
      type: z.literal('task.commands-edited'),
      task,
      invocation,
      run: z.array(commandSchema).readonly(),
      verify: z.array(commandSchema).readonly(),
      on_steer: z.array(commandSchema).readonly().nullable(),
    }),
    z.object({ type: z.literal('task.replaced'), task, by: z.array(task) }),
    /** The engine found no file for a task. The task fails with "Task definition missing" on its turn. */
    z.object({ type: z.literal('task.file-missing'), task }),
    z.object({
      type: z.literal('task.edited-by-hand'),
      task,
      from: taskStatusSchema,
      to: taskStatusSchema,
    }),
  ] as const;

/** The life of a task; the only source of its status. */
export const tasksEvents = late(() => [...attemptEvents(), ...givenEvents()] as const);
