import { z } from 'zod';
import type { PlanEntry } from '../../../agent-facts.ts';
import { isPlanTool, planned } from './claude-plan.ts';
import { type ClaudeResult, endOfResult, resultSchema, tokensOf, usageSchema } from './claude-result.ts';
import { claudeTool, patchContent } from './claude-tools.ts';
import type { OutputProfile, StreamEvent } from './output-profile.ts';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().catch(''),
  thinking: z.string().catch(''),
  id: z.string().catch(''),
  name: z.string().catch(''),
  input: z.unknown().optional(),
  tool_use_id: z.string().catch(''),
  is_error: z.boolean().catch(false),
});
const messageSchema = z.object({
  message: z.object({
    id: z.string().catch(''),
    content: z.array(blockSchema).catch([]),
    usage: usageSchema.nullish().catch(null),
  }),
  parent_tool_use_id: z.string().nullish().catch(null),
  tool_use_result: z.unknown().optional(),
  /** Why the message stands for a failed request: `rate_limit`, `authentication_failed`, `billing_error`, … */
  error: z.string().nullish().catch(null),
});
const deltaSchema = z.object({
  event: z.object({
    type: z.string(),
    message: z.object({ id: z.string() }).optional().catch(undefined),
    delta: z
      .object({
        text: z.string().optional().catch(undefined),
        thinking: z.string().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
  parent_tool_use_id: z.string().nullish().catch(null),
});
const initSchema = z.object({
  subtype: z.literal('init'),
  session_id: z.string(),
  model: z.string().optional().catch(undefined),
  permissionMode: z.string().optional().catch(undefined),
  claude_code_version: z.string().optional().catch(undefined),
});
const limitSchema = z.object({
  rate_limit_info: z.object({ status: z.literal('rejected'), resetsAt: z.number().positive() }),
});
type Block = z.infer<typeof blockSchema>;
type Message = z.infer<typeof messageSchema>;

/**
 * The stream of `claude -p --output-format stream-json --verbose`, with or without `--include-partial-messages` (fields as Claude Code 2.1.197 prints
 * them). The result line has the tokens and the cost of the whole run, sub-agents included.
 */
export const claude: OutputProfile = {
  label: 'Claude Code',
  reportsCost: true,
  resumeCommand: 'claude --resume {session}',
  login: 'claude auth login',
  reader: (workspace) => {
    const run: Run = {
      workspace,
      streamed: new Set(),
      isTextOpen: false,
      calls: new Map(),
      plan: new Map(),
      failure: null,
      until: null,
      context: 0,
    };
    return (line) => {
      const type = kindSchema.safeParse(line).data?.type ?? '';
      return Object.hasOwn(readers, type) ? (readers[type]?.(run, line) ?? []) : [];
    };
  },
};

/** What the lines so far have said. */
interface Run {
  readonly workspace: string;
  /** Messages that came in pieces before they came whole. */
  readonly streamed: Set<string>;
  /** A block of text came in pieces and has not ended. */
  isTextOpen: boolean;
  readonly calls: Map<string, Block>;
  readonly plan: Map<string, PlanEntry>;
  failure: string | null;
  /** When the limit that it met ends, in milliseconds. */
  until: number | null;
  /** Tokens in the context of its model. */
  context: number;
}

const assistant = (
  run: Run,
  { message, parent_tool_use_id: parent, error }: Message,
): readonly StreamEvent[] => {
  run.failure = error ?? run.failure;
  if (message.usage && !parent && tokensOf(message.usage).input > 0)
    run.context = tokensOf(message.usage).input + message.usage.output_tokens;
  return message.content.flatMap((block): readonly StreamEvent[] => {
    if (block.type === 'tool_use') {
      run.calls.set(block.id, block);
      return isPlanTool(block)
        ? []
        : [{ kind: 'tool', call: claudeTool(block, run.workspace, parent ?? null) }];
    }
    // A sub-agent's words go to its caller.
    if (parent || run.streamed.has(message.id)) return [];
    if (block.type === 'text') return [{ kind: 'text', text: `${block.text}\n` }];
    return block.type === 'thinking' ? [{ kind: 'thought', text: block.thinking }] : [];
  });
};

const results = (
  { calls, plan }: Run,
  { message, tool_use_result: result }: Message,
): readonly StreamEvent[] =>
  message.content.flatMap((block): readonly StreamEvent[] => {
    const call = calls.get(block.tool_use_id);
    if (block.type !== 'tool_result' || !call) return [];
    calls.delete(call.id);
    if (isPlanTool(call)) return block.is_error ? [] : planned(plan, call, result);
    const status = block.is_error ? 'failed' : 'completed';
    return [{ kind: 'tool', call: { toolCallId: call.id, status, content: patchContent(result) } }];
  });

const piece = (run: Run, line: z.infer<typeof deltaSchema>): readonly StreamEvent[] => {
  const { type, message, delta } = line.event;
  if (line.parent_tool_use_id) return [];
  if (type === 'message_start' && message) run.streamed.add(message.id);
  if (type === 'content_block_stop' && run.isTextOpen) {
    run.isTextOpen = false;
    return [{ kind: 'text', text: '\n' }];
  }
  if (delta?.text !== undefined) {
    run.isTextOpen = true;
    return [{ kind: 'text', text: delta.text }];
  }
  return delta?.thinking === undefined ? [] : [{ kind: 'thought', text: delta.thinking }];
};

const end = ({ context, failure, until }: Run, result: ClaudeResult): readonly StreamEvent[] => {
  const models = Object.values(result.modelUsage);
  const size = Math.max(0, ...models.map(({ contextWindow }) => contextWindow));
  const cost = result.total_cost_usd;
  const denied = result.permission_denials.length;
  return [
    // A run that a limit or a missing login ended at once has used nothing.
    ...(cost === undefined || (cost === 0 && models.length === 0)
      ? []
      : [{ kind: 'usage', used: context, size, cost: { amount: cost, currency: 'USD' } } as const]),
    ...(denied === 0
      ? []
      : [{ kind: 'remark', text: `its permissions refused ${callsOf(denied)}` } as const]),
    { kind: 'end', ...endOfResult(result, failure, until) },
  ];
};

const kindSchema = z.object({ type: z.string() });

type Reader = (run: Run, line: unknown) => readonly StreamEvent[];

/** A reader for lines of a schema. Others say nothing. */
const reader =
  <T>(schema: z.ZodType<T>, read: (run: Run, value: T) => readonly StreamEvent[]): Reader =>
  (run, line) => {
    const { data } = schema.safeParse(line);
    return data === undefined ? [] : read(run, data);
  };

const sessionOf = (init: z.infer<typeof initSchema>): readonly StreamEvent[] => [
  {
    kind: 'session',
    session: init.session_id,
    ...(init.model === undefined ? {} : { model: init.model }),
    ...(init.permissionMode === undefined ? {} : { mode: init.permissionMode }),
    ...(init.claude_code_version === undefined ? {} : { version: init.claude_code_version }),
  },
];

const callsOf = (count: number): string => (count === 1 ? 'one tool call' : `${count} tool calls`);

const readers: Readonly<Record<string, Reader>> = {
  system: reader(initSchema, (_run, init) => sessionOf(init)),
  assistant: reader(messageSchema, assistant),
  user: reader(messageSchema, results),
  stream_event: reader(deltaSchema, piece),
  rate_limit_event: reader(limitSchema, (run, { rate_limit_info }) => {
    run.until = rate_limit_info.resetsAt * 1_000;
    return [];
  }),
  result: reader(resultSchema, end),
};
