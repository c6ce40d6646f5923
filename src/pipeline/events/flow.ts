import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import {
  approvedPlanSchema,
  draftSchema,
  flowReadingSchema,
  flowStepSchema,
  foreignWorkerSchema,
  movedSchema,
  planVerdictSchema,
  watchedSchema,
  workerSchema,
} from '../modes/flow/flow-state.ts';
import { task } from './fields.ts';

/** Facts about pull requests: how they stand, and why one came back. */
const requestEvents = late(
  () =>
    [
      /** How a pull request stands: its checks, the reviews of members, its end. */
      z.object({
        type: z.literal('pr.looked'),
        task,
        state: watchedSchema,
        /** The commit that was looked at. */
        head: z.string().optional(),
        feedback: z.string(),
        /** The ids of the comments of members in its feedback. */
        comments: z.array(z.string()).readonly().optional(),
        moved: z.array(movedSchema).readonly(),
      }),
      /** A draft shows the work of a pull request that is not whole yet. */
      z.object({ type: z.literal('pr.drafted'), task, ...draftSchema.shape }),
      z.object({
        type: z.literal('pr.sent-back'),
        task,
        feedback: z.string(),
        escalated: z.boolean(),
        moved: z.array(movedSchema).readonly(),
      }),
    ] as const,
);

/** Facts about issues: what the engine read in the tracker, and what it wrote there. */
const issueEvents = late(
  () =>
    [
      /** The engine begins a step; one of the facts below ends it. */
      z.object({ type: z.literal('flow.step-started'), step: flowStepSchema }),
      /** `returned`: locks of dead sessions that were given back before. */
      z.object({
        type: z.literal('issues.read'),
        ...flowReadingSchema.shape,
        returned: z.array(movedSchema).readonly(),
      }),
      z.object({ type: z.literal('issues.locked'), task, moved: z.array(movedSchema).readonly() }),
      /** What the task's issues are now, right before `commit`, its merge, lands. */
      z.object({
        type: z.literal('issues.seen'),
        task,
        commit: z.string(),
        moved: z.array(movedSchema).readonly(),
      }),
      /** The task's result is kept. `result` has the keys of its phase. */
      z.object({
        type: z.literal('result.recorded'),
        task,
        result: z.record(z.string(), z.unknown()),
        moved: z.array(movedSchema).readonly(),
        /** Issues that were made: the parts of a split one. */
        created: z.array(z.string()).readonly(),
        /** The ids of comments that its pull request had before. */
        said: z.array(z.string()).readonly().optional(),
      }),
      /** What its merge would make of the person's branch is in a worktree, and is verified before anything moves. */
      z.object({
        type: z.literal('merge.proposed'),
        task,
        attempt: z.number().int(),
        commit: z.string(),
        directory: z.string(),
        branch: z.string(),
      }),
      z.object({
        type: z.literal('plan.decided'),
        task,
        verdict: planVerdictSchema,
        by: z.string(),
        reason: z.string(),
        moved: z.array(movedSchema).readonly(),
        /** The plan as it was approved; absent for a verdict against it. */
        approved: approvedPlanSchema.optional(),
      }),
      ...requestEvents(),
      /** `left`: the task failed for good, and these of its issues need a person now. */
      z.object({
        type: z.literal('issues.given-back'),
        task,
        moved: z.array(movedSchema).readonly(),
        left: z.array(movedSchema).readonly().optional(),
      }),
      /**
       * A step that could not be taken. `lost`: another session or a person has the issues now, and the task is off; else the session stops with the
       * reason, and its next start tries again.
       */
      z.object({
        type: z.literal('flow.step-refused'),
        task: task.optional(),
        reason: z.string(),
        lost: z.boolean(),
        /** The tracker does not answer for now: the step is taken again as `retries.backoff` says, before the session stops. */
        away: z.boolean().optional(),
        /** A person has to look at what it names first. */
        unseen: z.boolean().optional(),
        /** An issue that somebody deleted: the step is asked for again without it. */
        gone: z.string().optional(),
      }),
    ] as const,
);

/** Facts about workers: who is in the team, who has which task, and what they say to each other. */
const workerEvents = late(
  () =>
    [
      /** The team has these workers now, too. */
      z.object({ type: z.literal('team.formed'), workers: z.array(workerSchema).readonly() }),
      /** A free slot was filled. `worker`: its name in a team; `null`: a fresh agent. */
      z.object({ type: z.literal('task.claimed'), task, worker: z.string().nullable() }),
      /** A claim ended before its task: the task is free again. */
      z.object({ type: z.literal('task.released'), task, worker: z.string().nullable(), reason: z.string() }),
      z.object({ type: z.literal('worker.left'), worker: z.string(), reason: z.string() }),
      /** A worker of another program asks to join. It gets no task before it is admitted. */
      z.object({ type: z.literal('worker.knocked'), ...workerSchema.shape, ...foreignWorkerSchema.shape }),
      z.object({ type: z.literal('worker.admitted'), worker: z.string(), by: z.string() }),
      /** A worker used `send_message`. `refused`: why it was not sent. */
      z.object({
        type: z.literal('worker.messaged'),
        worker: z.string(),
        kind: z.string(),
        to: z.string().nullable(),
        text: z.string(),
        refused: z.string().optional(),
      }),
    ] as const,
);

export const flowEvents = late(() => [...issueEvents(), ...workerEvents()] as const);

export type IssueEventType = z.infer<ReturnType<typeof issueEvents>[number]>['type'];
export type WorkerEventType = z.infer<ReturnType<typeof workerEvents>[number]>['type'];
export type FlowEventType = IssueEventType | WorkerEventType;
