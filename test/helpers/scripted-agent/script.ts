import { z } from 'zod';

const plain = z.record(z.string(), z.unknown());

/** What the agent does, one step after the other. */
export type Action =
  /** One chunk of its answer. */
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'think'; readonly text: string }
  /** A `session/update` as it stands: tool calls, plans, usage, kinds nobody knows. */
  | { readonly do: 'update'; readonly update: Readonly<Record<string, unknown>> }
  /** Asks for permission; without `options` the four kinds of the protocol under ids that name no kind. */
  | {
      readonly do: 'permission';
      readonly toolCall: Readonly<Record<string, unknown>>;
      readonly options?: readonly Readonly<Record<string, unknown>>[];
      readonly allowed?: readonly Action[];
      readonly rejected?: readonly Action[];
    }
  /** Puts a form to the person (`elicitation/create`); the log keeps the answer. */
  | { readonly do: 'elicit'; readonly message: string; readonly schema: Readonly<Record<string, unknown>> }
  /** Asks for `times` permissions at once and waits for all answers. */
  | {
      readonly do: 'permissions';
      readonly times: number;
      readonly toolCall: Readonly<Record<string, unknown>>;
    }
  /** A real command in the session's directory, shown as a tool call; a cancel stops it. */
  | { readonly do: 'shell'; readonly command: string }
  /** A command in a session and process group of its own, which outlives the agent. `unmarked`: with an empty environment. */
  | { readonly do: 'fork'; readonly command: string; readonly unmarked?: boolean }
  /** Writes a file, without asking; relative to the session's directory. */
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** Calls a tool of the first MCP server the client gave; the log keeps the result. */
  | { readonly do: 'mcp'; readonly tool: string; readonly arguments?: Readonly<Record<string, unknown>> }
  /** Bytes on stdout that need not be JSON. */
  | { readonly do: 'raw'; readonly text: string }
  /** The same of texts that repeat: a script does not hold 40 MB. */
  | {
      readonly do: 'repeat';
      readonly parts: readonly { readonly text: string; readonly times: number }[];
    }
  | { readonly do: 'stderr'; readonly text: string }
  /** Text chunks of 4 KiB until so many bytes are sent. */
  | { readonly do: 'flood-text'; readonly bytes: number }
  /** Tool calls, each started and completed. */
  | { readonly do: 'flood-tools'; readonly calls: number }
  /** Text chunks at a steady rate: the same one, or several by turns. */
  | {
      readonly do: 'stream';
      readonly perSecond: number;
      readonly updates: number;
      readonly text: string | readonly string[];
    }
  /** Waits until this file exists. */
  | { readonly do: 'until-file'; readonly path: string }
  /** Waits until so many steering messages or injected prompts came during this turn. */
  | { readonly do: 'until-steered'; readonly times?: number }
  /** Waits for the cancel of the client, which it ignores when the script says so: then it waits for ever. */
  | { readonly do: 'hang' }
  | { readonly do: 'exit'; readonly code: number }
  /** Answers the prompt with this stop reason and passes over the rest. */
  | { readonly do: 'end'; readonly stopReason: string }
  /** Answers the prompt with a JSON-RPC error and passes over the rest. */
  | { readonly do: 'fail'; readonly code: number; readonly message: string; readonly data?: unknown };

export const actionSchema: z.ZodType<Action> = z.lazy(() =>
  z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('say'), text: z.string() }),
    z.strictObject({ do: z.literal('think'), text: z.string() }),
    z.strictObject({ do: z.literal('update'), update: plain }),
    z.strictObject({
      do: z.literal('permission'),
      toolCall: plain,
      options: z.array(plain).exactOptional(),
      allowed: z.array(actionSchema).exactOptional(),
      rejected: z.array(actionSchema).exactOptional(),
    }),
    z.strictObject({ do: z.literal('elicit'), message: z.string(), schema: plain }),
    z.strictObject({ do: z.literal('permissions'), times: z.int().positive(), toolCall: plain }),
    z.strictObject({ do: z.literal('shell'), command: z.string() }),
    z.strictObject({ do: z.literal('fork'), command: z.string(), unmarked: z.boolean().exactOptional() }),
    z.strictObject({ do: z.literal('write'), path: z.string(), text: z.string() }),
    z.strictObject({ do: z.literal('mcp'), tool: z.string(), arguments: plain.exactOptional() }),
    z.strictObject({ do: z.literal('raw'), text: z.string() }),
    z.strictObject({
      do: z.literal('repeat'),
      parts: z.array(z.strictObject({ text: z.string(), times: z.int().positive() })).readonly(),
    }),
    z.strictObject({ do: z.literal('stderr'), text: z.string() }),
    z.strictObject({ do: z.literal('flood-text'), bytes: z.int().positive() }),
    z.strictObject({ do: z.literal('flood-tools'), calls: z.int().positive() }),
    z.strictObject({
      do: z.literal('stream'),
      perSecond: z.number().positive(),
      updates: z.int().positive(),
      text: z.union([z.string(), z.array(z.string()).nonempty().readonly()]),
    }),
    z.strictObject({ do: z.literal('until-file'), path: z.string() }),
    z.strictObject({ do: z.literal('until-steered'), times: z.int().positive().exactOptional() }),
    z.strictObject({ do: z.literal('hang') }),
    z.strictObject({ do: z.literal('exit'), code: z.int() }),
    z.strictObject({ do: z.literal('end'), stopReason: z.string() }),
    z.strictObject({
      do: z.literal('fail'),
      code: z.int(),
      message: z.string(),
      data: z.unknown().optional(),
    }),
  ]),
);

const turnSchema = z.strictObject({
  /** Serves the prompt that holds this text; absent: any prompt. */
  when: z.string().exactOptional(),
  /** Serves every such prompt, not just the first. */
  again: z.boolean().exactOptional(),
  actions: z.array(actionSchema).readonly(),
  /** What it does unasked once the prompt has been answered. */
  afterwards: z.array(actionSchema).readonly().exactOptional(),
});

/**
 * All that a scripted agent does. Each process reads its script afresh: a prompt is served by the first turn that fits and has not been
 * used up in this process, and one without such a turn is answered with a text that says so.
 */
export const agentScriptSchema = z.strictObject({
  /** One JSON line for each thing that was received or done, with its time; appended, so that several processes can share it. */
  log: z.string(),
  /** Before it reads anything. */
  atStart: z.array(actionSchema).readonly().exactOptional(),
  /** `never` leaves the request open. An object is added to the answer: capabilities, login methods. */
  initialize: z.union([z.literal('never'), plain]).exactOptional(),
  /** `login` answers with -32000 until `authenticate` was accepted. An object is added to the answer: modes, options. */
  newSession: z.union([z.literal('never'), z.literal('login'), plain]).exactOptional(),
  authenticate: z.enum(['accept', 'refuse']).exactOptional(),
  /** What a prompt during a turn does; like the SDK's example agent, it cancels the first without this. */
  secondPrompt: z.enum(['cancels', 'injects', 'refuses']).exactOptional(),
  /** How `_session/steering` is answered during a turn; absent: not offered. */
  steering: z.enum(['injected', 'promptRequired', 'failed']).exactOptional(),
  /** What it does not listen to. */
  ignores: z
    .array(z.enum(['cancel', 'SIGTERM', 'end of input']))
    .readonly()
    .exactOptional(),
  /** It ends itself after this time whatever happens, in ms; 10 minutes without. */
  lifetime: z.int().positive().exactOptional(),
  turns: z.array(turnSchema).readonly(),
});

export type AgentScript = z.infer<typeof agentScriptSchema>;
export type ScriptTurn = z.infer<typeof turnSchema>;
