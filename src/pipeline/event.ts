import { z } from 'zod';
import { outcomeSchema } from '../agents/outcome.ts';
import { planItemSchema, sessionStatusSchema, stateNameSchema } from '../session/status.ts';
import { letterSchema, roleSchema, signalSchema, verdictSchema } from '../signals/signal.ts';
import { commandSchema, taskDefinitionSchema, taskStatusSchema } from '../tasks/task.ts';

/**
 * The one closed union of facts, past tense. A live run, `attach` and `replay` produce these; the journal keeps all but the
 * ephemeral ones. `run --json` prints them: fields are added, never renamed.
 */
export const modeSchema = z.enum([
  'INITIALIZE',
  'TASK_BREAKDOWN',
  'UPDATE',
  'REBREAKDOWN',
  'REBREAKDOWN_TASK',
  'brainstorm',
  'research',
  'feedback-analysis',
  'IMPLEMENT',
  'TASK_REVIEW',
  'SESSION_REVIEW',
  'STAGE',
  'PROMOTE',
]);
const id = z.string();
const task = z.string();
const invocation = z.string();
const attempt = z.number().int();
const fault = z.object({
  code: z.string(),
  what: z.string(),
  where: z.string().optional(),
  mend: z.string().optional(),
});
const message = z.object({
  id,
  kind: z.enum(['STEER', 'INFO', 'PAUSE', 'RESUME', 'RETRY']),
  text: z.string(),
  from: z.string().optional(),
  apply: verdictSchema.optional(),
});

export const eventBodySchema = z.discriminatedUnion('type', [
  // The session.
  z.object({
    type: z.literal('session.created'),
    session_id: z.string(),
    workspace: z.string(),
    goal: z.string(),
    source: z.enum(['plan', 'repository', 'goal', 'demo']),
    settings: z.unknown(),
  }),
  z.object({
    type: z.literal('session.started'),
    reason: z.enum(['run', 'resume']),
    pid: z.number().int(),
    epoch: z.number().int(),
    program: z.string(),
    settings: z.unknown(),
    attended: z.boolean(),
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

  // Planning and waves.
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

  // Tasks.
  z.object({ type: z.literal('task.started'), task, attempt, invocation, owner: z.string() }),
  z.object({ type: z.literal('task.submitted'), task, attempt, invocation, files: z.array(z.string()) }),
  z.object({
    type: z.literal('task.qualified'),
    task,
    attempt,
    invocation: invocation.optional(),
    commit: z.string().optional(),
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

  // Invocations.
  z.object({
    type: z.literal('invocation.started'),
    invocation,
    role: roleSchema,
    mode: modeSchema,
    backend: z.string(),
    cycle: z.number().int(),
    task: task.optional(),
    attempt: attempt.optional(),
    item: planItemSchema.optional(),
    promote: z.array(z.string()).optional(),
    messages: z.array(message),
  }),
  z.object({ type: z.literal('invocation.resumed'), invocation, messages: z.array(message) }),
  z.object({
    type: z.literal('invocation.paused'),
    invocation,
    checkpoint: z.string().optional(),
    continuation: z.unknown(),
  }),
  z.object({
    type: z.literal('invocation.ended'),
    invocation,
    outcome: outcomeSchema,
    tasks: z.array(taskDefinitionSchema).optional(),
    escalation: z.string().optional(),
  }),
  z.object({
    type: z.literal('invocation.failed'),
    invocation,
    kind: z.enum(['call', 'no-result', 'timeout', 'stall', 'quota']),
    fault,
    until: z.number().optional(),
  }),
  z.object({
    type: z.literal('invocation.interrupted'),
    invocation,
    reason: z.enum(['crash', 'quit', 'abort', 'cancel', 'retry']),
  }),
  /** Settles an ended invocation where no other fact does: its result is stale, or it is simply started again. */
  z.object({ type: z.literal('invocation.settled'), invocation, reason: z.string() }),
  z.object({
    type: z.literal('checkpoint.reached'),
    agent: z.string(),
    checkpoint: z.string(),
    invocation: invocation.nullable(),
  }),
  z.object({
    type: z.literal('retry.scheduled'),
    retry: z.string(),
    at_ms: z.number(),
    tries: z.number().int(),
    reason: z.string().optional(),
    /** The failed invocation that this settles. */
    invocation: invocation.optional(),
  }),
  z.object({ type: z.literal('finding.noted'), invocation, text: z.string() }),

  // Commands and processes. `command.started` is the intent line before the spawn.
  z.object({
    type: z.literal('command.started'),
    invocation,
    task: task.optional(),
    attempt: attempt.optional(),
    index: z.number().int(),
    of: z.number().int(),
    purpose: z.enum(['run', 'verify', 'on_steer']),
    command: commandSchema,
    marker: z.string(),
  }),
  z.object({
    type: z.literal('process.started'),
    invocation,
    index: z.number().int(),
    pid: z.number().int(),
    start_time: z.string(),
  }),
  z.object({
    type: z.literal('command.ended'),
    invocation,
    task: task.optional(),
    attempt: attempt.optional(),
    index: z.number().int(),
    exit: z.string(),
    ok: z.boolean(),
    duration_ms: z.number(),
    log: z.object({ file: z.string(), from: z.number(), to: z.number() }).optional(),
  }),
  z.object({
    type: z.literal('processes.stopped'),
    reason: z.string(),
    stopped: z.array(z.number()),
    unverified: z.array(z.number()),
  }),
  /** Ephemeral: never journaled; the log file keeps the bytes. */
  z.object({
    type: z.literal('output.written'),
    invocation,
    task: task.optional(),
    attempt: attempt.optional(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),

  // The life of a signal (signals.md).
  z.object({ type: z.literal('signal.pending'), letter: letterSchema, waits_for: z.string() }),
  z.object({
    type: z.literal('signal.claimed'),
    id,
    file: z.string(),
    signal: signalSchema,
    by: z.string(),
    checkpoint: z.string(),
  }),
  /** Also the record "acted for this recipient", looked up before acting again (rule 7). */
  z.object({
    type: z.literal('signal.delivered'),
    id,
    recipient: z.string(),
    checkpoint: z.string(),
    how: z.enum(['context', 'tree', 'guidance', 'injected', 'tool-result', 'prompt']),
    message: message.optional(),
    broadcast: z.boolean(),
  }),
  z.object({ type: z.literal('signal.queued'), id, reason: z.string() }),
  z.object({
    type: z.literal('steer.decided'),
    id,
    invocation,
    task: task.optional(),
    verdict: z.enum(['restart', 'adjust', 'escalate', 'context', 're-evaluated', 'no answer']),
    evidence: z.string(),
    action: z.string(),
  }),
  z.object({
    type: z.literal('signal.handled'),
    id,
    file: z.string(),
    signal: signalSchema,
    handled_by: z.string(),
    checkpoint: z.string(),
    action_taken: z.string(),
    invocation: invocation.nullable(),
  }),
  z.object({ type: z.literal('signal.rejected'), id: id.nullable(), file: z.string(), reason: z.string() }),
  z.object({
    type: z.literal('signal.undelivered'),
    id,
    file: z.string(),
    signal: signalSchema,
    reason: z.string(),
  }),
  z.object({
    type: z.literal('signal.withdrawn'),
    id,
    file: z.string(),
    signal: signalSchema,
    by: z.string(),
  }),

  // What session-level signals and deadlines come to.
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
    text: z.string(),
    options: z.array(z.string()),
    invocation: invocation.nullable(),
  }),
  z.object({
    type: z.literal('question.answered'),
    request: z.string(),
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
  /** Always follows `look-for-feedback`; no directories when there is none. */
  z.object({
    type: z.literal('feedback.found'),
    iteration: z.number().int(),
    directories: z.array(z.string()),
  }),
  z.object({ type: z.literal('timer.fired'), timer: z.string() }),
]);

export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];
/** A body with its place and time: `seq` counts up by one in a session, `at` is ISO 8601. */
export type Event = EventBody & { readonly seq: number; readonly at: string };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** Event types that reach observers but never the journal. */
export const ephemeralTypes: ReadonlySet<EventType> = new Set<EventType>(['output.written']);
