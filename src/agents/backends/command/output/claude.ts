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
    /** Messages that came in pieces before they came whole. */
    const streamed = new Set<string>();
    /** A block of text came in pieces and has not ended. */
    let isTextOpen = false;
    const calls = new Map<string, Block>();
    const plan = new Map<string, PlanEntry>();
    let failure: string | null = null;
    let until: number | null = null;
    let context = 0;

    const assistant = ({ message, parent_tool_use_id: parent, error }: Message): readonly StreamEvent[] => {
      failure = error ?? failure;
      if (message.usage && !parent && tokensOf(message.usage).input > 0)
        context = tokensOf(message.usage).input + message.usage.output_tokens;
      return message.content.flatMap((block): readonly StreamEvent[] => {
        if (block.type === 'tool_use') {
          calls.set(block.id, block);
          return isPlanTool(block)
            ? []
            : [{ kind: 'tool', call: claudeTool(block, workspace, parent ?? null) }];
        }
        // A sub-agent's words go to its caller.
        if (parent || streamed.has(message.id)) return [];
        if (block.type === 'text') return [{ kind: 'text', text: `${block.text}\n` }];
        return block.type === 'thinking' ? [{ kind: 'thought', text: block.thinking }] : [];
      });
    };

    const results = ({ message, tool_use_result: result }: Message): readonly StreamEvent[] =>
      message.content.flatMap((block): readonly StreamEvent[] => {
        const call = calls.get(block.tool_use_id);
        if (block.type !== 'tool_result' || !call) return [];
        calls.delete(call.id);
        if (isPlanTool(call)) return block.is_error ? [] : planned(plan, call, result);
        return [
          {
            kind: 'tool',
            call: {
              toolCallId: call.id,
              status: block.is_error ? 'failed' : 'completed',
              content: patchContent(result),
            },
          },
        ];
      });

    const piece = (line: z.infer<typeof deltaSchema>): readonly StreamEvent[] => {
      const { type, message, delta } = line.event;
      if (line.parent_tool_use_id) return [];
      if (type === 'message_start' && message) streamed.add(message.id);
      if (type === 'content_block_stop' && isTextOpen) {
        isTextOpen = false;
        return [{ kind: 'text', text: '\n' }];
      }
      if (delta?.text !== undefined) {
        isTextOpen = true;
        return [{ kind: 'text', text: delta.text }];
      }
      return delta?.thinking === undefined ? [] : [{ kind: 'thought', text: delta.thinking }];
    };

    const end = (result: ClaudeResult): readonly StreamEvent[] => {
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

    const readers: Readonly<Record<string, (line: unknown) => readonly StreamEvent[]>> = {
      system: (line) => sessionOf(initSchema.safeParse(line).data),
      assistant: (line) => take(messageSchema, line, assistant),
      user: (line) => take(messageSchema, line, results),
      stream_event: (line) => take(deltaSchema, line, piece),
      rate_limit_event: (line) =>
        take(limitSchema, line, ({ rate_limit_info }) => {
          until = rate_limit_info.resetsAt * 1_000;
          return [];
        }),
      result: (line) => take(resultSchema, line, end),
    };
    return (line) => {
      const type = kindSchema.safeParse(line).data?.type ?? '';
      return Object.hasOwn(readers, type) ? (readers[type]?.(line) ?? []) : [];
    };
  },
};

const kindSchema = z.object({ type: z.string() });

const take = <T>(
  schema: z.ZodType<T>,
  line: unknown,
  read: (value: T) => readonly StreamEvent[],
): readonly StreamEvent[] => {
  const { data } = schema.safeParse(line);
  return data === undefined ? [] : read(data);
};

const sessionOf = (init: z.infer<typeof initSchema> | undefined): readonly StreamEvent[] =>
  init === undefined
    ? []
    : [
        {
          kind: 'session',
          session: init.session_id,
          ...(init.model === undefined ? {} : { model: init.model }),
          ...(init.permissionMode === undefined ? {} : { mode: init.permissionMode }),
          ...(init.claude_code_version === undefined ? {} : { version: init.claude_code_version }),
        },
      ];

const callsOf = (count: number): string => (count === 1 ? 'one tool call' : `${count} tool calls`);
