import { z } from 'zod';

/** A task id: starts with a letter, at most 64 characters, safe as a file name (src/session/README.md, plan.yaml). */
export const taskIdSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, {
  error: 'must start with a letter and contain at most 64 letters, digits, "_", "." and "-"',
});
export type TaskId = string;

/** One command of `run`, `verify` or `on_steer`: a string is a shell line, an array an argv without a shell. */
export const commandSchema = z.object({
  cmd: z.union([z.string().min(1), z.array(z.string()).min(1).readonly()]),
  /** Relative to the workspace. */
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).readonly().optional(),
  timeout_ms: z.number().int().positive().optional(),
  /** The success criteria, in their words, that hold exactly when it exits 0. */
  shows: z.array(z.string()).readonly().optional(),
});
export type Command = z.infer<typeof commandSchema>;

/** `on:` of a task, an agent or a role: a runner's name, or several in the order of preference. `local` is this machine. */
export const placesSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).readonly()]);
export type Places = z.infer<typeof placesSchema>;

/** This machine, as a place to work. */
export const here = 'local';

/** The names of an `on:`. */
export const placeNames = (places: Places): readonly string[] =>
  typeof places === 'string' ? places.split(',').map((name) => name.trim()) : places;

/** The definition of a task, without its status (src/session/README.md, Task file). */
export const taskDefinitionSchema = z.object({
  id: taskIdSchema,
  iteration: z.number().int().positive(),
  title: z.string(),
  objective: z.string(),
  /** `depends_on` in the file, `blockedBy` everywhere in the program (seed 003, section 1.2). */
  blockedBy: z.array(z.string()).readonly(),
  files: z.array(z.string()).readonly(),
  criteria: z.array(z.string()).readonly(),
  run: z.array(commandSchema).readonly(),
  verify: z.array(commandSchema).readonly(),
  /** `null`: a STEER with `adjust` leaves the remaining commands unchanged. */
  on_steer: z.array(commandSchema).readonly().nullable(),
  type: z.enum(['Parallelizable', 'Sequential']),
  role: z.string(),
  phase: z.string().optional(),
  agent: z.string().optional(),
  /** The runners that may do it, first choice first. */
  on: placesSchema.optional(),
  timeout_ms: z.number().int().positive().optional(),
  /** For a split task: an edge to this one means an edge to all of these. */
  replaced_by: z.array(z.string()).readonly(),
  grounded_in: z.string(),
  notes: z.string(),
  metadata: z.record(z.string(), z.unknown()).readonly().optional(),
});
export type TaskDefinition = z.infer<typeof taskDefinitionSchema>;

/** A task of which only the id is known: without work, checks or blockers. */
export const bareTask = (id: TaskId, iteration: number): TaskDefinition => ({
  id,
  iteration,
  title: id,
  objective: '',
  blockedBy: [],
  files: [],
  criteria: [],
  run: [],
  verify: [],
  on_steer: null,
  type: 'Parallelizable',
  role: 'executor',
  replaced_by: [],
  grounded_in: '',
  notes: '',
});

/** `open` `[ ]` · `running` `[/]` · `review` `[P]` · `done` `[x]` · `failed` `[F]` · `cancelled` `[C]` (src/session/README.md, progress.md). */
export const taskStatusSchema = z.enum(['open', 'running', 'review', 'done', 'failed', 'cancelled']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;
