import { z } from 'zod';
import { type Dialect, type ReplyWriter, sentences, sse } from './dialect.ts';
import type { DeclaredTool } from './script.ts';

const toolSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ type: z.string().optional(), name: z.string().optional() })).optional(),
});

const itemSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  /** Of a `tool_search_output`: what was found may be called from then on. */
  tools: z.array(toolSchema).nullish(),
});

type Item = z.infer<typeof itemSchema>;

const requestSchema = z.looseObject({
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(itemSchema)]),
  tools: z.array(toolSchema).nullish(),
  text: z.looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() }).nullish(),
});

const textOf = (item: Item): string => {
  if (typeof item.content === 'string') return item.content;
  if (item.content) return item.content.map((part) => part.text ?? '').join('\n');
  return JSON.stringify(item);
};

const declared = (tools: readonly z.infer<typeof toolSchema>[]): readonly DeclaredTool[] =>
  tools.flatMap((tool): readonly DeclaredTool[] => {
    if (tool.type !== 'namespace')
      return tool.name ? [{ name: tool.name, free: tool.type === 'custom' }] : [];
    const namespace = tool.name ?? '';
    return (tool.tools ?? []).map(({ name = '' }) => ({ name, namespace }));
  });

const ofModel = ({ type, role }: Item): boolean =>
  role === 'assistant' ||
  type === 'function_call' ||
  type === 'custom_tool_call' ||
  type === 'tool_search_call' ||
  type === 'reasoning';

/** The ids of a reply are unique in a run, because Codex keys its items by them. */
const createStream = (nextId: () => number): ReplyWriter => {
  const id = `resp_${nextId()}`;
  const output: object[] = [];
  let message: { readonly id: string; text: string } | null = null;
  const done = (item: object): string => {
    const index = output.push(item) - 1;
    return sse({ type: 'response.output_item.done', output_index: index, item }, 'response.output_item.done');
  };
  const added = (item: object): string =>
    sse(
      { type: 'response.output_item.added', output_index: output.length, item },
      'response.output_item.added',
    );
  const endMessage = (): string => {
    if (!message) return '';
    const item = {
      type: 'message',
      role: 'assistant',
      id: message.id,
      status: 'completed',
      content: [{ type: 'output_text', text: message.text, annotations: [] }],
    };
    message = null;
    return done(item);
  };
  return {
    begin: () =>
      sse({ type: 'response.created', response: { id, status: 'in_progress' } }, 'response.created'),
    text: (text) => {
      let opened = '';
      if (!message) {
        message = { id: `msg_${nextId()}`, text: '' };
        opened = added({
          type: 'message',
          role: 'assistant',
          id: message.id,
          status: 'in_progress',
          content: [],
        });
      }
      message.text += text;
      return (
        opened +
        sse(
          {
            type: 'response.output_text.delta',
            item_id: message.id,
            output_index: output.length,
            content_index: 0,
            delta: text,
          },
          'response.output_text.delta',
        )
      );
    },
    call: ({ name, namespace }, input, callId) => {
      const number = nextId();
      const common = { id: `fc_${number}`, call_id: callId ?? `call_${number}`, name, status: 'completed' };
      const item =
        typeof input === 'string'
          ? { type: 'custom_tool_call', ...common, input }
          : {
              type: 'function_call',
              ...common,
              ...(namespace === undefined ? {} : { namespace }),
              arguments: JSON.stringify(input),
            };
      return endMessage() + added({ ...item, status: 'in_progress' }) + done(item);
    },
    search: (query) =>
      endMessage() +
      done({
        type: 'tool_search_call',
        call_id: `call_${nextId()}`,
        status: 'completed',
        execution: 'client',
        arguments: { query },
      }),
    end: () =>
      endMessage() +
      sse(
        {
          type: 'response.completed',
          response: {
            id,
            status: 'completed',
            output,
            usage: {
              input_tokens: 1200,
              input_tokens_details: { cached_tokens: 0 },
              output_tokens: 34,
              output_tokens_details: { reasoning_tokens: 0 },
              total_tokens: 1234,
            },
          },
        },
        'response.completed',
      ),
  };
};

/** OpenAI's Responses API: `POST <base>/responses` with `stream: true`. */
export const createResponses = (nextId: () => number): Dialect => ({
  name: 'responses',
  path: /\/responses(\?|$)/,
  read: (body) => {
    const { instructions, input: given, tools, text } = requestSchema.parse(body);
    const input: readonly Item[] = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
    const lastReply = input.findLastIndex(ofModel);
    const known = [tools, ...input.map((item) => item.tools)].flatMap((list) => declared(list ?? []));
    return {
      latest: input
        .slice(lastReply + 1)
        .map(textOf)
        .join('\n'),
      whole: [instructions ?? '', ...input.map(textOf)].join('\n'),
      tools: known,
      side: text?.format?.schema ?? (known.length === 0 ? true : null),
    };
  },
  stream: () => createStream(nextId),
  whole: (text) => ({
    id: `resp_${nextId()}`,
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
    ],
  }),
  failure: (status) => ({
    error: {
      message: sentences[status] ?? 'It failed.',
      type: status === 429 ? 'insufficient_quota' : 'server_error',
      code: status === 429 ? 'insufficient_quota' : null,
    },
  }),
});
