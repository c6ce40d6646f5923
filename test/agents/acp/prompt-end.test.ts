import { expect, test } from 'vitest';
import { promptEndSchema } from '../../../src/agents/backends/acp/prompt-end.ts';
import { createReply } from '../../../src/agents/backends/acp/reply.ts';
import { createToolBook } from '../../../src/agents/backends/acp/tool-book.ts';
import { parseUpdate } from '../../../src/agents/backends/acp/updates.ts';

test.each([
  [
    'Codex and Claude: `usage`, cached input apart',
    {
      stopReason: 'end_turn',
      usage: {
        totalTokens: 1_500,
        inputTokens: 200,
        cachedReadTokens: 1_000,
        cachedWriteTokens: 50,
        outputTokens: 250,
      },
    },
    { stop: 'end_turn', tokens: { input: 1_250, output: 250 } },
  ],
  [
    'Gemini: `_meta.quota`',
    {
      stopReason: 'end_turn',
      _meta: { quota: { token_count: { input_tokens: 1_200, output_tokens: 34 }, model_usage: [] } },
    },
    { stop: 'end_turn', tokens: { input: 1_200, output: 34 } },
  ],
  ['an agent that reports nothing', { stopReason: 'refusal' }, { stop: 'refusal', tokens: null }],
  [
    'counts of an unknown form',
    { stopReason: 'end_turn', usage: { inputTokens: 'many' }, _meta: { quota: null } },
    { stop: 'end_turn', tokens: null },
  ],
  [
    'negative counts',
    { stopReason: 'end_turn', usage: { inputTokens: -5, outputTokens: 1 } },
    { stop: 'end_turn', tokens: null },
  ],
  ['a reason of the future', { stopReason: 'tired' }, { stop: 'end_turn', tokens: null }],
])('the end of a prompt: %s', (_, answer, end) => {
  expect(promptEndSchema.parse(answer)).toEqual(end);
});

test('counts that come with pieces of the text are summed, as Qwen reports each model request', () => {
  const host = { emit: () => {}, output: () => {} };
  const reply = createReply(
    host,
    createToolBook(host.emit, () => 0),
    new Map(),
  );
  const piece = (text: string, meta?: unknown): void =>
    reply.take(
      parseUpdate({
        sessionId: 's',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, _meta: meta },
      }).update,
    );
  piece('Hello');
  expect(reply.tokens()).toBeNull();
  piece('', { usage: { inputTokens: 1_200, outputTokens: 34, totalTokens: 1_234 }, durationMs: 27 });
  piece('', { usage: { inputTokens: 'many' } });
  piece('', { usage: { inputTokens: 1_300, outputTokens: 6 } });
  expect(reply.tokens()).toEqual({ input: 2_500, output: 40 });
  expect(reply.text()).toBe('Hello');
});
