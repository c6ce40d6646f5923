import { z } from 'zod';
import { taskRoles } from '../issues/task-list/task-phase.ts';

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
  'UNDO',
  'REDO',
  'ANSWER',
  'SET',
]);
export type SignalType = z.infer<typeof signalTypeSchema>;

/** What each type does, for the help of the command. */
export const signalTypeWords: Readonly<Record<SignalType, string>> = {
  INFO: 'Give the agents a fact; the work continues unchanged.',
  STEER: 'Change the direction: the agent restarts the step, adjusts in place, or hands the task back.',
  PAUSE: 'Hold the session: nothing new starts, and running work stops after its current step.',
  RESUME:
    'End the hold: paused work continues in the same attempt, and queued messages are delivered. Without a hold, retry now if a quota was used up.',
  DRAIN:
    'Stop gracefully: nothing new starts, running work finishes, and then the session stops and can be resumed.',
  ABORT: 'End the session: every agent is stopped, and changed files stay as they are.',
  APPROVE: 'Keep the lessons, all of them or the named files.',
  SKIP: 'Finish without keeping the lessons; their files stay in the session.',
  RETRY: 'Reopen one task, with the message as feedback for the next attempt.',
  CANCEL: 'Stop one task and mark it cancelled; the session continues.',
  UNDO: 'Revert what one task changed, once no merge is in progress; a patch is kept.',
  REDO: 'Restore what was undone.',
  ANSWER: "Answer an agent's question or the plan gate.",
  SET: 'Change a setting of the running session, such as the number of parallel executors.',
};

/** Roles, in the order of the state machine. */
export const roleSchema = z.enum(['Planner', 'Questioner', 'Executor', 'Reviewer', 'Librarian']);
export type Role = z.infer<typeof roleSchema>;

/** The pollers: the orchestrator or a role. On disk `Ralph-Executor`, read also as `Ralph-v2-Executor` and `Executor`. */
export const agentSchema = z.enum(['Orchestrator', ...roleSchema.options]);
export type Agent = z.infer<typeof agentSchema>;

export const targetSchema = z.enum(['ALL', ...agentSchema.options]);
export type Target = z.infer<typeof targetSchema>;

/** A worker of a team by name (`builder-2`), or all of a role (`builder`). */
export const workerSchema = z.string().regex(new RegExp(`^(?:${taskRoles.join('|')})(?:-[1-9]\\d{0,3})?$`));

/** Whether the worker has this name or this role. */
export const isWorker = (named: string, worker: string | null): boolean =>
  worker !== null && (worker === named || worker.replace(/-\d+$/, '') === named);

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
  worker: workerSchema.optional(),
  /** UNDO and REDO: only this attempt of the task. */
  attempt: z.number().int().positive().optional(),
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
