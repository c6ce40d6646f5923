import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { planItemSchema } from '../../session/status.ts';
import { taskDefinitionSchema } from '../../tasks/task.ts';
import { invocation, task } from './fields.ts';

/** Plan items, task definitions, chosen waves. */
export const planningEvents = late(
  () =>
    [
      z.object({
        type: z.literal('plan-item.marked'),
        item: planItemSchema,
        mark: z.enum(['open', 'running', 'done', 'cancelled']),
        note: z.string().optional(),
        invocation: invocation.optional(),
      }),
      z.object({
        type: z.literal('tasks.defined'),
        tasks: z.array(taskDefinitionSchema),
        invocation: invocation.optional(),
        replaces: task.optional(),
      }),
      z.object({ type: z.literal('wave.chosen'), wave: z.number().int(), tasks: z.array(task) }),
    ] as const,
);
