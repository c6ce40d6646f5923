import { z } from 'zod';
import { type Dialect, type ReplyWriter, sentences, sse } from './dialect.ts';

const contentSchema = z.union([
  z.string(),
  z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      /** Of a `tool_result`. */
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
    }),
  ),
]);

const requestSchema = z.looseObject({
  system: contentSchema.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z.array(z.looseObject({ name: z.string().optional() })).nullish(),
  stream: z.boolean().optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: z.unknown() }).nullish() }).nullish(),
});

type Content = z.infer<typeof contentSchema>;

const textOf = (content: Content | undefined): string => {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content
    .map((block) => {
      if (block.text !== undefined) return block.text;
      return block.content === undefined ? JSON.stringify(block) : textOfResult(block.content);
    })
    .join('\n');
};

const textOfResult = (content: string | readonly { readonly text?: string | undefined }[]): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? JSON.stringify(part)).join('\n');

const usage = { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const event = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
  sse(data, data.type);

const messageOf = (id: number, content: readonly object[], stopReason: string | null): object => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: { ...usage, output_tokens: 34 },
});

/** Ids are unique in a run, because Claude keys its tool calls by them. */
const createStream = (nextId: () => number): ReplyWriter => {
  let blocks = 0;
  let inText = false;
  let calls = 0;
  const start = (block: object): string =>
    event({ type: 'content_block_start', index: blocks, content_block: block });
  const delta = (change: object): string =>
    event({ type: 'content_block_delta', index: blocks, delta: change });
  const stop = (): string => {
    blocks += 1;
    return event({ type: 'content_block_stop', index: blocks - 1 });
  };
  const endText = (): string => {
    if (!inText) return '';
    inText = false;
    return stop();
  };
  return {
    begin: () => event({ type: 'message_start', message: messageOf(nextId(), [], null) }),
    text: (text) => {
      const opened = inText ? '' : start({ type: 'text', text: '' });
      inText = true;
      return opened + delta({ type: 'text_delta', text });
    },
    call: ({ name }, input, callId) => {
      calls += 1;
      const block = { type: 'tool_use', id: callId ?? `toolu_${nextId()}`, name, input: {} };
      const json = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
      return endText() + start(block) + delta(json) + stop();
    },
    search: () => {
      throw new Error('our tools are always loaded: there is none to search for');
    },
    end: () =>
      endText() +
      event({
        type: 'message_delta',
        delta: { stop_reason: calls > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 34 },
      }) +
      event({ type: 'message_stop' }),
  };
};

/** Anthropic's Messages API: `POST <base>/v1/messages`. */
export const createMessages = (nextId: () => number): Dialect => ({
  name: 'messages',
  path: /\/messages(\?|$)/,
  read: (body) => {
    const { system, messages, tools, stream, output_config: output } = requestSchema.parse(body);
    const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
    const declared = (tools ?? []).flatMap(({ name }) => (name === undefined ? [] : [{ name }]));
    return {
      latest: messages
        .slice(lastReply + 1)
        .map(({ content }) => textOf(content))
        .join('\n'),
      whole: [textOf(system), ...messages.map(({ content }) => textOf(content))].join('\n'),
      tools: declared,
      side: output?.format?.schema ?? (declared.length === 0 ? true : null),
      inOnePiece: stream !== true,
    };
  },
  stream: () => createStream(nextId),
  whole: (text) => messageOf(nextId(), [{ type: 'text', text }], 'end_turn'),
  failure: (status) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status === 401 ? 'authentication_error' : 'api_error',
      message: sentences[status] ?? 'It failed.',
    },
  }),
});
