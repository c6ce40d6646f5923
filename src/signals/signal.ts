import { z } from 'zod';

/** Every signal type of the program. `STOP` is read as ABORT (src/signals/README.md, Files and Types). */
export const signalTypeSchema = z.enum([
  'INFO',
  'STEER',
  'PAUSE',
  'RESUME',
  'DRAIN',
  'ABORT',
  'APPROVE',
  'SKIP',
  'RETRY',
  'CANCEL',
  'ANSWER',
  'SET',
]);
export type SignalType = z.infer<typeof signalTypeSchema>;

/** Roles, in the order of the state machine. */
export const roleSchema = z.enum(['Planner', 'Questioner', 'Executor', 'Reviewer', 'Librarian']);
export type Role = z.infer<typeof roleSchema>;

/** The pollers: the orchestrator or a role. On disk `Ralph-Executor`, read also as `Ralph-v2-Executor` and `Executor`. */
export const agentSchema = z.enum(['Orchestrator', ...roleSchema.options]);
export type Agent = z.infer<typeof agentSchema>;

export const targetSchema = z.enum(['ALL', ...agentSchema.options]);
export type Target = z.infer<typeof targetSchema>;

/** A person's own verdict on a STEER, or the result of the decision tree (seed 001, section 3.1). */
export const verdictSchema = z.enum(['restart', 'adjust', 'escalate']);
export type SteerVerdict = z.infer<typeof verdictSchema>;

/** A signal's content after lenient reading: the request of a person or script. */
export const signalSchema = z.object({
  type: signalTypeSchema,
  target: targetSchema,
  message: z.string().optional(),
  iteration: z.number().int().positive().optional(),
  created_at: z.string().optional(),
  from: z.string().optional(),
  task: z.string().optional(),
  apply: verdictSchema.optional(),
  resume: z.boolean().optional(),
  /** STEER: interrupts the reply that the agent gives just now. */
  now: z.boolean().optional(),
  promote: z.array(z.string()).readonly().optional(),
  request: z.string().optional(),
  option: z.string().optional(),
  set: z.record(z.string(), z.unknown()).readonly().optional(),
  /** Never read from a file: no record proves who wrote it (rule 13). What the file itself says: its type, and its author as a claim. */
  unproven: z.object({ type: signalTypeSchema, from: z.string().optional() }).optional(),
});
export type Signal = z.infer<typeof signalSchema>;

/** A signal in the mailbox: its content and its identity, `sha256(name, bytes)` in hexadecimal (rule 6). */
export const pendingSignalSchema = z.object({
  id: z.string(),
  /** The name under which it was published. */
  file: z.string(),
  signal: signalSchema,
});
export type PendingSignal = z.infer<typeof pendingSignalSchema>;
