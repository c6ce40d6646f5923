import { z } from 'zod';
import type { StopReason, TokenCount } from '../../../agent-facts.ts';
import type { StreamEnd, StreamFailure } from './output-profile.ts';

const count = z.number().nonnegative().catch(0);
export const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});
const modelUsageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  contextWindow: count,
});
export const resultSchema = z.object({
  subtype: z.string().catch(''),
  is_error: z.boolean().catch(false),
  api_error_status: z.number().nullish().catch(null),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).catch([]),
  stop_reason: z.string().nullish().catch(null),
  total_cost_usd: z.number().nonnegative().optional().catch(undefined),
  usage: usageSchema.optional().catch(undefined),
  modelUsage: z.record(z.string(), modelUsageSchema).catch({}),
  permission_denials: z.array(z.object({ tool_use_id: z.string() })).catch([]),
});
export type ClaudeResult = z.infer<typeof resultSchema>;
/** Tokens of one message or run. What came from a cache counts as input. */
export const tokensOf = (usage: z.infer<typeof usageSchema>): TokenCount => ({
  input: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
  output: usage.output_tokens,
});

/** The end of a run, from its result line. `error` and `until`: what earlier lines told about a failed request. */
export const endOfResult = (result: ClaudeResult, error: string | null, until: number | null): StreamEnd => ({
  stop: stopOf(result),
  tokens: totalOf(result),
  ...(result.result === undefined ? {} : { text: result.result }),
  ...(result.is_error ? { failure: failureOf(result, error, until) } : {}),
});

/** `modelUsage` counts every model of the run. `usage` leaves out sub-agents, and is zero when a limit ended the run. */
const totalOf = ({ modelUsage, usage }: ClaudeResult): TokenCount | null => {
  const models = Object.values(modelUsage);
  if (models.length === 0) return usage === undefined ? null : tokensOf(usage);
  return models.reduce(
    (sum, model) => ({
      input: sum.input + model.inputTokens + model.cacheCreationInputTokens + model.cacheReadInputTokens,
      output: sum.output + model.outputTokens,
    }),
    { input: 0, output: 0 },
  );
};

const stopOf = ({ subtype, stop_reason: reason }: ClaudeResult): StopReason => {
  if (subtype === 'error_max_turns') return 'max_turn_requests';
  return reason === 'max_tokens' || reason === 'refusal' ? reason : 'end_turn';
};

/** By the fields for it. The sentences differ by version and language. */
const failureOf = (result: ClaudeResult, error: string | null, until: number | null): StreamFailure => {
  const sentence = result.result ?? (result.errors.join('; ') || result.subtype);
  const { api_error_status: status } = result;
  if (status === 429 || error === 'rate_limit' || error === 'billing_error')
    return { why: 'quota', sentence, ...(until === null ? {} : { until }) };
  return { why: status === 401 || error === 'authentication_failed' ? 'login' : 'other', sentence };
};
