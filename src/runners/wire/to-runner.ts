import { z } from 'zod';
import type { Brief, TurnAsk, TurnResult } from '../../agents/port.ts';
import { modeSchema } from '../../pipeline/events/fields.ts';
import { settingsSchema } from '../../session/settings.ts';
import { roleSchema } from '../../signals/signal.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { taskDefinitionSchema } from '../../tasks/task.ts';
import {
  commitId,
  faultSchema,
  invocationId,
  messageSchema,
  piece,
  processName,
  repositoryId,
  shaped,
} from './fields.ts';
import { lateSchema } from './late.ts';
import { method, notice } from './method.ts';

const empty = z.object({});
const session = z.string().regex(/^[\w.-]{1,100}$/u);
const of = { invocation: invocationId };

/** What a runner says of its machine. */
const capabilitiesSchema = z.object({
  program: z.string().max(200),
  node: z.string().max(100),
  /** `null`: git was not found. */
  git: z.string().max(100).nullable(),
  cores: z.number(),
  freeBytes: z.number(),
  /** Its clock, milliseconds since 1970. */
  now: z.number(),
  /** Agents whose program is there. */
  agents: z.array(z.string().max(100)).max(200),
  /** Their versions, where a package says one. Absent: a runner of an earlier program. */
  versions: z.record(z.string().max(100), z.string().max(100)).optional(),
  /** Why no command of `verify` can run in this sandbox. Absent: they can. */
  noVerify: z.string().max(2_000).optional(),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** The brief of an invocation. Its fields are checked as far as the runner itself relies on them. */
const briefSchema = shaped<Brief>(
  z.looseObject({
    invocation: invocationId,
    role: roleSchema,
    mode: modeSchema,
    session: z.string().max(200),
    workspace: z.string().startsWith('/'),
    sessionDirectory: z.string().startsWith('/'),
    task: taskDefinitionSchema.optional(),
    messages: z.array(messageSchema),
    settings: settingsSchema(),
  }),
);

const askSchema = shaped<TurnAsk>(
  z.looseObject({ kind: z.string(), prompt: z.string(), messages: z.array(messageSchema) }),
);

const resultSchema = shaped<TurnResult>(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('answered'), answer: z.unknown() }),
    z.object({ kind: z.literal('paused'), continuation: z.unknown() }),
    z.object({ kind: z.literal('stopped'), why: z.enum(['abort', 'cancel']) }),
    z.object({ kind: z.literal('no-result'), raw: z.string(), wrong: z.array(z.string()).optional() }),
    z.object({ kind: z.literal('failed'), fault: faultSchema, quotaUntil: z.number().nullable().optional() }),
  ]),
);

/** Requests of the host. */
export const toRunner = {
  describe: method('describe', z.object({ programs: z.array(z.string()).max(200) }), capabilitiesSchema),
  /** The commits at which its copy of a repository ends. */
  have: method(
    'have',
    z.object({
      repository: repositoryId,
      /** Where the runner fetches from before it answers, by itself and with its own login. */
      origin: z.string().min(1).max(2_000).optional(),
    }),
    z.object({
      commits: z.array(commitId).max(500),
      /** Why it could not fetch. */
      problem: z.string().max(4_000).optional(),
    }),
  ),
  /** One piece of a bundle. With the last one the runner takes the bundle over. */
  put: method(
    'put',
    z.object({
      repository: repositoryId,
      upload: z.string().regex(/^[0-9a-f]{16}$/u),
      data: piece,
      last: z.boolean(),
    }),
    empty,
  ),
  /** Makes the work tree of an invocation. `fresh`: it did not exist yet. */
  open: method(
    'open',
    z.object({
      brief: briefSchema,
      repository: repositoryId,
      base: commitId,
      /** The workspace inside the repository, `''` or a path that ends with `/`. */
      prefix: z.string().max(4_000),
      orphanAfterMs: z.number(),
      /** The process of the host. Absent: of an earlier program. */
      host: processName.optional(),
    }),
    z.object({ workspace: z.string().startsWith('/').max(4_000), fresh: z.boolean() }),
  ),
  /** A piece of a file that no commit carries, for the new work tree of an invocation. */
  file: method(
    'file',
    z.object({
      ...of,
      path: z
        .string()
        .max(4_000)
        .refine((path) => pathProblem(path) === null && !/(?:^|\/)\.git(?:\/|$)/iu.test(path)),
      data: piece,
      first: z.boolean(),
    }),
    empty,
  ),
  turn: method(
    'turn',
    z.object({ ...of, backend: z.string(), ask: askSchema }),
    z.object({ result: resultSchema, lastWords: z.string().max(4_000) }),
  ),
  /** Resolves when its processes are verified gone, or names those that are not. */
  stop: method(
    'stop',
    z.object({ ...of, why: z.enum(['abort', 'cancel']) }),
    z.object({ stopped: z.array(z.number()).max(10_000), unverified: z.array(z.number()).max(10_000) }),
  ),
  /** Ends the agent. With `result` its work is committed; `commit` is `null` when it changed nothing. */
  end: method(
    'end',
    z.object({ ...of, result: z.boolean() }),
    z.object({ commit: commitId.nullable(), bytes: z.number() }),
  ),
  /** A piece of the bundle that `end` made. */
  take: method(
    'take',
    z.object({ ...of, offset: z.number().int().nonnegative() }),
    z.object({ data: piece, last: z.boolean() }),
  ),
  /**
   * Work of a session that no host took. With `running`, the process that runs the session now asks: those that ran it before are gone, and what they had
   * begun is stopped first. Absent: a host of an earlier program.
   */
  late: method(
    'late',
    z.object({
      session,
      running: z.object({ host: processName, sessionDirectory: z.string().max(4_096) }).optional(),
    }),
    z.object({ late: z.array(lateSchema).max(1_000) }),
  ),
  /** A piece of the bundle of such work. */
  takeLate: method(
    'takeLate',
    z.object({ ...of, session, offset: z.number().int().nonnegative() }),
    z.object({ data: piece, last: z.boolean() }),
  ),
  /** The host has it. */
  dropLate: method('dropLate', z.object({ ...of, session }), empty),
  /** The host has the result: everything of the invocation is removed. */
  close: method('close', z.object(of), empty),
} as const;

export const noticesToRunner = {
  /** The host needs this link no more. A runner with work ignores it. */
  bye: notice('bye', empty),
  mail: notice(
    'mail',
    z.object({
      ...of,
      mail: z.object({
        steer: z.boolean(),
        now: z.boolean(),
        refused: z.boolean().optional(),
        held: z.string().optional(),
      }),
    }),
  ),
} as const;
