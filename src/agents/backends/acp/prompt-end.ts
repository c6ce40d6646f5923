import { z } from 'zod';
import type { TokenCount } from '../../agent-facts.ts';
import type { PromptEnd } from './link.ts';

const amount = z.number().nonnegative();

/**
 * `usage` of the answer to `session/prompt` (ACP, unstable): Codex and Claude fill it per prompt, although its comments speak of the session.
 * Their `inputTokens` leaves out what came from a cache.
 */
const usageSchema = z
  .object({
    inputTokens: amount,
    outputTokens: amount,
    cachedReadTokens: amount.nullish(),
    cachedWriteTokens: amount.nullish(),
  })
  .transform(
    ({ inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens }): TokenCount => ({
      input: inputTokens + (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0),
      output: outputTokens,
    }),
  );

/** Gemini's own form, per prompt. */
const quotaSchema = z
  .object({ quota: z.object({ token_count: z.object({ input_tokens: amount, output_tokens: amount }) }) })
  .transform(
    ({ quota }): TokenCount => ({
      input: quota.token_count.input_tokens,
      output: quota.token_count.output_tokens,
    }),
  );

/** The answer to `session/prompt`. Counts of an unknown form are no counts. */
export const promptEndSchema = z
  .object({
    stopReason: z
      .enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'])
      .catch('end_turn'),
    usage: z.unknown().optional(),
    _meta: z.unknown().optional(),
  })
  .transform(({ stopReason, usage, _meta }): PromptEnd => {
    const tokens = usageSchema.safeParse(usage);
    const quota = quotaSchema.safeParse(_meta);
    return { stop: stopReason, tokens: tokens.data ?? quota.data ?? null };
  });
