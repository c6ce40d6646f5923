import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { guidanceSchema } from '../../session/guidance/guidance.ts';
import { loopPresetSchema } from '../../session/settings/loop-presets.ts';
import { sessionModeSchema, sessionStatusSchema, stateNameSchema } from '../../session/status.ts';
import { taskDefinitionSchema } from '../../tasks/task.ts';
import { flowStartSchema } from '../modes/flow/flow-state.ts';
import { fault, id } from './fields.ts';

/** Flags of a start that hold for the session: its agent, its preset, and what becomes of its branch. */
const startFlagsSchema = z.object({
  agent: z.string().optional(),
  permissions: z.string().optional(),
  atEnd: z.string().optional(),
  on: z.string().optional(),
  watch: z.boolean().optional(),
});
export type StartFlags = Readonly<z.infer<typeof startFlagsSchema>>;

const earlierSchema = z.object({
  tasks: z.record(z.string(), z.object({ title: z.string(), ms: z.number() })),
  usual: z
    .object({
      tasks: z.number().int(),
      ms: z.number(),
      cost: z.object({ amount: z.number(), currency: z.string() }).nullable(),
    })
    .nullable(),
});

/** The first event of a journal. Apart, because each reader of a journal checks it and no other. */
export const createdEvent = late(() =>
  z.object({
    type: z.literal('session.created'),
    session_id: z.string(),
    workspace: z.string(),
    goal: z.string(),
    source: z.enum(['plan', 'repository', 'goal', 'demo']),
    /** Absent means `waves`. */
    mode: sessionModeSchema.optional(),
    /** The file that a loop works on, relative to the workspace. */
    focus: z.string().optional(),
    /** What a flow works on. */
    flow: flowStartSchema.optional(),
    settings: z.unknown(),
    /** Where tasks change files; never changes. Absent: as the settings say. */
    isolation: z.enum(['worktree', 'shared']).optional(),
  }),
);

/** Facts about the session as a whole. */
export const sessionEvents = late(
  () =>
    [
      createdEvent(),
      z.object({
        type: z.literal('session.started'),
        reason: z.enum(['run', 'resume']),
        pid: z.number().int(),
        epoch: z.number().int(),
        /** Boot id, pid namespace, pid and start time, as in the claims of signals. */
        owner: z.string().optional(),
        program: z.string(),
        settings: z.unknown(),
        attended: z.boolean(),
        /** Cores of the machine; absent in older journals. */
        cores: z.number().int().positive().optional(),
        /** Times and costs of tasks of the workspace's earlier sessions; absent where there are none. */
        earlier: earlierSchema.optional(),
        /** The flags of the command line, which a resume keeps. */
        flags: startFlagsSchema.optional(),
        /** The limits of a loop that this start chose. They hold for later starts too. */
        preset: loopPresetSchema.optional(),
        /** The person's bans and preferences, as trusted at this start; absent when there are none. */
        guidance: guidanceSchema.optional(),
      }),
      z.object({
        type: z.literal('session.stopped'),
        session_id: z.string(),
        status: sessionStatusSchema,
        reason: z.string(),
        exit_code: z.number().int(),
      }),
      z.object({
        type: z.literal('settings.changed'),
        set: z.record(z.string(), z.unknown()),
        signal: id.optional(),
      }),
      /** A person changed the guidance while the session runs. */
      z.object({ type: z.literal('guidance.changed'), guidance: guidanceSchema }),
      z.object({
        type: z.literal('state.entered'),
        state: stateNameSchema,
        previous: stateNameSchema.nullable(),
        reason: z.string().optional(),
      }),
      z.object({
        type: z.literal('iteration.started'),
        iteration: z.number().int(),
        feedback: z.array(z.string()),
        tasks: z.array(taskDefinitionSchema),
      }),
      z.object({
        type: z.literal('metadata.edited-by-hand'),
        file: z.string(),
        key: z.string(),
        value: z.unknown(),
      }),
      z.object({ type: z.literal('problem.found'), fault }),
      z.object({ type: z.literal('limit.reached'), limit: z.string(), reason: z.string() }),
      z.object({ type: z.literal('snapshot.written'), file: z.string(), hash: z.string() }),
    ] as const,
);
