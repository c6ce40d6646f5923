import { z } from 'zod';
import { type Dialect, type ReplyWriter, sentences, sse } from './dialect.ts';

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
});

const requestSchema = z.looseObject({
  messages: z.array(messageSchema),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).nullish(),
  stream: z.boolean().nullish(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() })
    .nullish(),
});

const textOf = ({ content, ...rest }: z.infer<typeof messageSchema>): string => {
  if (typeof content === 'string') return content;
  if (content) return content.map((part) => part.text ?? JSON.stringify(part)).join('\n');
  return JSON.stringify(rest);
};

const usage = { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 };

/** Ids are unique in a run, because agents key their tool calls by them. */
const createStream = (nextId: () => number): ReplyWriter => {
  const id = `chatcmpl-${nextId()}`;
  const chunk = (choices: readonly object[], more: object = {}): string =>
    sse({ id, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices, ...more });
  const choice = (delta: object, finishReason: string | null = null): string =>
    chunk([{ index: 0, delta, finish_reason: finishReason }]);
  let calls = 0;
  return {
    begin: () => choice({ role: 'assistant', content: '' }),
    text: (content) => choice({ content }),
    call: ({ name }, input, callId) => {
      const call = {
        index: calls,
        id: callId ?? `call_${nextId()}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      };
      calls += 1;
      return choice({ tool_calls: [call] });
    },
    search: () => {
      throw new Error('Chat Completions declare all tools: there is none to search for');
    },
    end: () => `${choice({}, calls > 0 ? 'tool_calls' : 'stop')}${chunk([], { usage })}data: [DONE]\n\n`,
  };
};

/** OpenAI's Chat Completions: `POST <base>/chat/completions`. */
export const createChatCompletions = (nextId: () => number): Dialect => ({
  name: 'chat-completions',
  path: /\/chat\/completions(\?|$)/,
  read: (body) => {
    const { messages, tools, stream, response_format: format } = requestSchema.parse(body);
    const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
    const declared = (tools ?? []).flatMap(({ function: declaration }) =>
      declaration ? [{ name: declaration.name }] : [],
    );
    return {
      latest: messages
        .slice(lastReply + 1)
        .map(textOf)
        .join('\n'),
      whole: messages.map(textOf).join('\n'),
      tools: declared,
      side: format?.json_schema?.schema ?? (declared.length === 0 ? true : null),
      inOnePiece: stream !== true,
    };
  },
  stream: () => createStream(nextId),
  whole: (content) => ({
    id: `chatcmpl-${nextId()}`,
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  }),
  failure: (status) => ({
    error: {
      message: sentences[status] ?? 'It failed.',
      type: status === 429 ? 'insufficient_quota' : 'server_error',
      code: status === 429 ? 'insufficient_quota' : null,
    },
  }),
});
