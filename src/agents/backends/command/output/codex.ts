import { z } from 'zod';
import type { TokenCount } from '../../../agent-facts.ts';
import type { ToolPatch } from '../../acp/updates.ts';
import { fileIn } from './file-in.ts';
import type { OutputProfile, StreamEvent, StreamFailure } from './output-profile.ts';

const text = z.string().catch('');
const statusSchema = z.enum(['in_progress', 'completed', 'failed', 'declined']).catch('completed');
const toolBase = { id: z.string(), status: statusSchema };
const itemSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), id: text, text }),
  z.object({ type: z.literal('reasoning'), id: text, text }),
  z.object({ type: z.literal('command_execution'), ...toolBase, command: text }),
  z.object({
    type: z.literal('file_change'),
    ...toolBase,
    changes: z.array(z.object({ path: z.string(), kind: text })).catch([]),
  }),
  z.object({ type: z.literal('mcp_tool_call'), ...toolBase, server: text, tool: text }),
  z.object({ type: z.literal('web_search'), ...toolBase, query: text }),
  z.object({
    type: z.literal('todo_list'),
    id: text,
    items: z.array(z.object({ text: z.string(), completed: z.boolean().catch(false) })).catch([]),
  }),
  z.object({ type: z.literal('error'), id: text, message: text }),
]);
type Item = z.infer<typeof itemSchema>;

const count = z.number().nonnegative().catch(0);
const messageSchema = z.object({ message: z.string() });
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({
    type: z.enum(['item.started', 'item.updated', 'item.completed']),
    item: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: count, output_tokens: count }).nullish().catch(null),
  }),
  z.object({ type: z.literal('turn.failed'), error: messageSchema.catch({ message: 'it gave no reason' }) }),
  z.object({ type: z.literal('error'), message: text }),
]);

/**
 * The stream of `codex exec --json` (fields as Codex 0.166.0 prints them). It names changed files without their lines, and no cost. Its input tokens
 * include those from a cache.
 */
export const codex: OutputProfile = {
  label: 'Codex',
  reportsCost: false,
  resumeCommand: 'codex resume {session}',
  login: 'codex login',
  reader: (workspace) => (given) => {
    const { data: line } = lineSchema.safeParse(given);
    if (line === undefined) return [];
    switch (line.type) {
      case 'thread.started':
        return [{ kind: 'session', session: line.thread_id }];
      case 'turn.completed':
        return [{ kind: 'end', stop: 'end_turn', tokens: tokensOf(line.usage) }];
      case 'turn.failed':
        return [{ kind: 'end', stop: 'end_turn', tokens: null, failure: failureOf(line.error.message) }];
      case 'error':
        return [{ kind: 'remark', text: line.message }];
      default: {
        const { data: item } = itemSchema.safeParse(line.item);
        return item === undefined ? [] : eventsOf(item, line.type === 'item.completed', workspace);
      }
    }
  },
};

const tokensOf = (
  usage: { readonly input_tokens: number; readonly output_tokens: number } | null | undefined,
): TokenCount | null => (usage ? { input: usage.input_tokens, output: usage.output_tokens } : null);

const eventsOf = (item: Item, isOver: boolean, workspace: string): readonly StreamEvent[] => {
  switch (item.type) {
    case 'agent_message':
      return isOver ? [{ kind: 'text', text: `${item.text}\n` }] : [];
    case 'reasoning':
      return isOver ? [{ kind: 'thought', text: item.text }] : [];
    case 'command_execution':
      return [tool(item, isOver, { kind: 'execute', title: innerCommand(item.command) })];
    case 'file_change': {
      const paths = item.changes.map(({ path }) => path);
      const removesAll = item.changes.length > 0 && item.changes.every(({ kind }) => kind === 'delete');
      return [
        tool(item, isOver, {
          kind: removesAll ? 'delete' : 'edit',
          title: paths.map((path) => fileIn(workspace, path)).join(', '),
          locations: paths.map((path) => ({ path })),
        }),
      ];
    }
    case 'mcp_tool_call':
      return [tool(item, isOver, { kind: 'other', title: `${item.server}.${item.tool}` })];
    case 'web_search':
      return [tool(item, isOver, { kind: 'fetch', title: item.query })];
    case 'todo_list':
      return [
        {
          kind: 'plan',
          entries: item.items.map((entry) => ({
            text: entry.text,
            status: entry.completed ? 'completed' : 'pending',
          })),
        },
      ];
    case 'error':
      return [{ kind: 'remark', text: item.message }];
  }
};

const tool = (
  { id, status }: { readonly id: string; readonly status: z.infer<typeof statusSchema> },
  isOver: boolean,
  call: Pick<ToolPatch, 'kind' | 'title' | 'locations'>,
): StreamEvent => {
  const ended = status === 'failed' || status === 'declined' ? 'failed' : 'completed';
  return { kind: 'tool', call: { toolCallId: id, ...call, status: isOver ? ended : 'in_progress' } };
};

/** `/bin/bash -lc 'npm test'` is `npm test`. */
const innerCommand = (command: string): string => {
  const inner = /^\S*\/(?:ba|z)?sh -l?c (.+)$/su.exec(command)?.[1] ?? command;
  const quoted = /^'([^']*)'$/su.exec(inner) ?? /^"([^"\\$`]*)"$/su.exec(inner);
  return quoted?.[1] ?? inner;
};

/**
 * `turn.failed` has a message and no code. These are the constant beginnings of Codex's own messages for a used-up limit. The words of the model
 * are never there.
 */
const quotaMessages = ['Quota exceeded.', "You've hit your usage limit", 'You’ve hit your usage limit'];

const failureOf = (message: string): StreamFailure => ({
  why: quotaMessages.some((begin) => message.startsWith(begin))
    ? 'quota'
    : message.startsWith('unexpected status 401 ')
      ? 'login'
      : 'other',
  sentence: message,
});
