import { z } from 'zod';
import { messageSchema } from '../../agents/roles/messages.ts';
import { taskRoles } from '../../issues/task-list/task-phase.ts';
import { messageKinds } from '../../issues/team/message-policy.ts';

/** The lines between `ralph-tui mcp --as ROLE` and the program that runs the session: JSON, one per line, on a loopback port. */
export const requestSchema = z.object({ id: z.number(), call: z.string(), with: z.unknown() });

export const responseSchema = z.union([
  z.object({ id: z.number(), error: z.string() }),
  z.object({ id: z.number(), answer: z.unknown() }),
]);

/** The longest line, in bytes: as for a body of our other server. */
export const longestLine = 1_048_576;

/** Where a host listens, in a file that only its user reads. */
export const listeningSchema = z.object({ port: z.number().int().positive(), token: z.string().min(16) });
export type Listening = z.infer<typeof listeningSchema>;

const processSchema = z.object({
  boot: z.string().max(200),
  pidNamespace: z.string().max(200),
  pid: z.number().int().positive(),
  startTime: z.string().max(40),
});

/** What each call takes. */
export const callSchemas = {
  /** The first one of a connection. `back`: the worker was here before. */
  hello: z.object({
    token: z.string(),
    role: z.enum(taskRoles),
    program: z.string().max(200),
    process: processSchema,
    back: z.object({ worker: z.string(), key: z.string() }).optional(),
  }),
  claim: z.object({ task: z.string().optional() }),
  release: z.object({ reason: z.string().max(4_000) }),
  message: z.object({
    kind: z.enum(messageKinds),
    to: z.string().max(200).nullable(),
    text: z.string().max(8_000),
  }),
  /** One of our tools on the work in hand. */
  tool: z.object({ name: z.string(), input: z.unknown() }),
  boundary: z.object({}),
  released: z.object({}),
  /** What became of messages in results: they were read, or never arrived. */
  reached: z.object({ ids: z.array(z.string()) }),
  missed: z.object({ ids: z.array(z.string()) }),
} as const;

export const helloAnswerSchema = z.object({ worker: z.string(), key: z.string() });

export const toolAnswerSchema = z.object({
  body: z.record(z.string(), z.unknown()),
  failed: z.literal(true).exactOptional(),
  endsTurn: z.literal(true).exactOptional(),
});

export const directiveSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('go'), messages: z.array(messageSchema).readonly() }),
  z.object({ kind: z.literal('pause') }),
  z.object({ kind: z.literal('abort') }),
  z.object({ kind: z.literal('cancel'), reason: z.string() }),
]);
