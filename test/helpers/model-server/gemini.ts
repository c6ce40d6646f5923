import { z } from 'zod';
import { type Dialect, type ReplyWriter, sentences, sse } from './dialect.ts';

const contentSchema = z.looseObject({
  role: z.string().optional(),
  parts: z.array(z.looseObject({ text: z.string().optional() })).optional(),
});

const requestSchema = z.looseObject({
  contents: z.array(contentSchema),
  systemInstruction: contentSchema.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
  generationConfig: z
    .looseObject({ responseJsonSchema: z.unknown().optional(), responseSchema: z.unknown().optional() })
    .optional(),
});

const textOf = (content: z.infer<typeof contentSchema> | undefined): string =>
  (content?.parts ?? []).map((part) => part.text ?? JSON.stringify(part)).join('\n');

const usage = { promptTokenCount: 1200, candidatesTokenCount: 34, totalTokenCount: 1234 };

const candidate = (parts: readonly object[], finishReason?: string): object => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) },
  ],
  usageMetadata: usage,
  modelVersion: 'scripted',
});

const stream = (): ReplyWriter => ({
  begin: () => '',
  text: (text) => sse(candidate([{ text }])),
  call: ({ name }, input) => sse(candidate([{ functionCall: { name, args: input } }])),
  search: () => {
    throw new Error('Gemini declares all tools: there is none to search for');
  },
  end: () => sse(candidate([], 'STOP')),
});

/** The Gemini API: `models/<model>:streamGenerateContent?alt=sse`, `:generateContent`. */
export const gemini: Dialect = {
  name: 'gemini',
  path: /:(streamGenerateContent|generateContent)(\?|$)/,
  read: (body) => {
    const { contents, systemInstruction, tools = [], generationConfig } = requestSchema.parse(body);
    const declared = tools.flatMap((tool) => tool.functionDeclarations ?? []);
    const lastReply = contents.findLastIndex((content) => content.role === 'model');
    return {
      latest: contents
        .slice(lastReply + 1)
        .map(textOf)
        .join('\n'),
      whole: [textOf(systemInstruction), ...contents.map(textOf)].join('\n'),
      tools: declared.map(({ name }) => ({ name })),
      side:
        generationConfig?.responseJsonSchema ??
        generationConfig?.responseSchema ??
        (declared.length === 0 ? true : null),
    };
  },
  stream,
  whole: (text) => candidate([{ text }], 'STOP'),
  failure: (status) => ({
    error: {
      code: status,
      message: sentences[status] ?? 'It failed.',
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : status === 401 ? 'UNAUTHENTICATED' : 'INTERNAL',
    },
  }),
};
