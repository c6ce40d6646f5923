import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { attempt, invocation, task } from './fields.ts';

const runner = z.string();

/** Runners: other machines that work for the session. */
export const runnersEvents = late(
  () =>
    [
      /** The link is up. What it says of itself comes with the first time, and after each break. */
      z.object({
        type: z.literal('runner.reached'),
        runner,
        program: z.string(),
        node: z.string(),
        cores: z.number(),
        free_bytes: z.number(),
        clock_difference_ms: z.number(),
        round_trip_ms: z.number(),
        agents: z.array(z.string()).readonly(),
      }),
      /** A runner of a pool took the work of an invocation. `number`: which one. */
      z.object({ type: z.literal('runner.claimed'), runner, invocation, number: z.number() }),
      /** Its agents work on until `stops_at`; then it stops them and keeps their work. */
      z.object({ type: z.literal('runner.lost'), runner, why: z.string(), stops_at: z.string() }),
      /** Work that came after its attempt was given up, and the ref that keeps it. It is never merged by itself. */
      z.object({
        type: z.literal('runner.late-result'),
        runner,
        invocation,
        task: task.optional(),
        attempt: attempt.optional(),
        ref: z.string(),
      }),
    ] as const,
);

export type RunnersEventType = z.infer<ReturnType<typeof runnersEvents>[number]>['type'];
