import { z } from 'zod';
import { messageWays, reaches, toolKinds } from '../../agents/agent-facts.ts';
import { late } from '../../base/memoise.ts';
import { attempt, id, invocation, logPiece, task } from './fields.ts';

const of = { invocation, task: task.optional(), attempt: attempt.optional() };

/** Its program, and what it says of itself. */
const programEvents = () =>
  [
    /** The intent line before the spawn. `process.started` follows. */
    z.object({
      type: z.literal('agent.launched'),
      ...of,
      program: z.string(),
      marker: z.string(),
      withheld: z.array(z.string()).readonly().optional(),
      ahead: z.literal(true).optional(),
    }),
    z.object({
      type: z.literal('agent.process-started'),
      ...of,
      pid: z.number().int(),
      start_time: z.string(),
    }),
    z.object({
      type: z.literal('agent.connected'),
      ...of,
      label: z.string(),
      version: z.string().optional(),
      session: z.string(),
      began: z.enum(['new', 'loaded', 'resumed']),
      model: z.string().optional(),
      mode: z.string().optional(),
      reach: z.enum(reaches),
      resume_command: z.string().optional(),
    }),
    z.object({ type: z.literal('agent.mode-changed'), ...of, mode: z.string() }),
    z.object({
      type: z.literal('agent.usage-reported'),
      ...of,
      used: z.number(),
      size: z.number(),
      cost: z.object({ amount: z.number(), currency: z.string() }).optional(),
    }),
    z.object({ type: z.literal('agent.context-compacted'), ...of }),
  ] as const;

/** What it does in a turn. */
const turnEvents = () =>
  [
    z.object({
      type: z.literal('prompt.sent'),
      ...of,
      index: z.number().int(),
      why: z.enum(['ask', 'messages', 'resume', 'repair']),
    }),
    z.object({
      type: z.literal('reply.ended'),
      ...of,
      index: z.number().int(),
      stop: z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'lost']),
      duration_ms: z.number(),
      tokens: z.object({ input: z.number(), output: z.number() }).optional(),
      /** What it said since its last tool call. */
      log: logPiece.optional(),
    }),
    z.object({
      type: z.literal('tool.started'),
      ...of,
      /** What the agent said before it. */
      log: logPiece.optional(),
      call: z.string(),
      title: z.string(),
      kind: z.enum(toolKinds),
      paths: z.array(z.string()).readonly(),
      parent: z.string().optional(),
    }),
    z.object({
      type: z.literal('tool.ended'),
      ...of,
      call: z.string(),
      ok: z.boolean(),
      refused: z.literal(true).optional(),
      unanswered: z.literal(true).optional(),
      title: z.string().optional(),
      changes: z
        .array(
          z.object({
            path: z.string(),
            added: z.number().int(),
            removed: z.number().int(),
            /** Its first lines, `-old` and `+new`. */
            start: z.string().optional(),
          }),
        )
        .readonly(),
      duration_ms: z.number(),
    }),
    z.object({ type: z.literal('thought.noted'), ...of, text: z.string(), characters: z.number().int() }),
    z.object({
      type: z.literal('agent-plan.noted'),
      ...of,
      entries: z
        .array(z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }))
        .readonly(),
    }),
  ] as const;

/** What it asks a person, and what reaches it. */
const askedEvents = () =>
  [
    /** An agent waits for a person. Only keys on a screen answer it. */
    z.object({
      type: z.literal('permission.asked'),
      ...of,
      request: z.string(),
      /** The tool call that waits for the answer. Missing in older journals. */
      call: z.string().optional(),
      agent: z.string(),
      kind: z.enum(['read', 'edit', 'command', 'network', 'mode', 'other', 'task-file']),
      title: z.string(),
      command: z.string().nullable(),
      directory: z.string(),
      paths: z.array(z.string()).readonly(),
      diffs: z.array(z.object({ path: z.string(), before: z.string(), after: z.string() })).readonly(),
      /** Why it is not part of the work in the workspace. Missing in older journals. */
      notes: z.array(z.string()).readonly().optional(),
      /** Why it can only be allowed once. */
      once: z.string().optional(),
    }),
    /** `cancelled`: the agent withdrew the request, or ended. */
    z.object({
      type: z.literal('permission.answered'),
      ...of,
      request: z.string(),
      decision: z.enum(['once', 'session', 'no', 'cancelled']),
      by: z.string(),
      why: z.string().optional(),
      /** For `session`: the key of the remembered permission, and its text. */
      remembered: z.object({ key: z.string(), text: z.string() }).optional(),
    }),
    z.object({ type: z.literal('permission.revoked'), key: z.string(), by: z.string() }),
    /** A message reached an agent, and how. `signal.delivered` is recorded with it. */
    z.object({
      type: z.literal('message.arrived'),
      ...of,
      id,
      way: z.enum(messageWays),
      detail: z.string(),
    }),
    /** A request of the agent to its model could carry the message. Only then an INFO counts as handled. */
    z.object({ type: z.literal('message.carried'), ...of, id }),
  ] as const;

/** Reports of a live agent (`agents/agent-facts.ts`). Short, because the journal holds every one. */
export const agentsEvents = late(() => [...programEvents(), ...turnEvents(), ...askedEvents()] as const);

export type AgentEventType = z.infer<ReturnType<typeof agentsEvents>[number]>['type'];
