import { z } from 'zod';
import { type PlanEntry, type TokenCount, toolKinds } from '../../agent-facts.ts';

/**
 * One `session/update` of an agent, reduced to the fields in use (ACP schema, SessionUpdate). Agents differ and change: an unknown kind, or a known
 * one with odd fields, becomes `other` and is ignored. The SDK would print an error for it.
 */
export type AgentUpdate =
  /** `tokens`: of the model request that ended with this piece. Qwen Code reports them so, and none with the end of a prompt. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly tokens?: TokenCount;
      /** The id of the message that it is a piece of, where the agent has one. */
      readonly message?: string;
    }
  | { readonly kind: 'thought'; readonly text: string }
  /** `begins`: the agent announces the call. An id of a call that ended then stands for a new one. */
  | { readonly kind: 'tool'; readonly call: ToolPatch; readonly begins?: true }
  | { readonly kind: 'plan'; readonly entries: readonly PlanEntry[] }
  | {
      readonly kind: 'usage';
      readonly used: number;
      readonly size: number;
      readonly cost: { readonly amount: number; readonly currency: string } | null;
    }
  | { readonly kind: 'mode'; readonly mode: string }
  | { readonly kind: 'options'; readonly options: readonly ConfigOption[] }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'other' };

/** A tool call or a change to one. Missing fields were not sent. Gemini never sends the first message for calls it asks about. */
export type ToolPatch = z.infer<typeof toolPatchSchema>;

/** `null` and a wrong type both count as missing. */
const maybe = <T>(schema: z.ZodType<T>) => schema.nullish().catch(undefined);

const contentSchema = z
  .union([
    z.object({
      type: z.literal('diff'),
      path: z.string(),
      oldText: z.string().nullish(),
      newText: z.string(),
    }),
    z.object({
      type: z.literal('content'),
      content: z.object({ type: z.literal('text'), text: z.string() }),
    }),
    z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
  ])
  .catch({ type: 'other' });

export const toolPatchSchema = z.object({
  toolCallId: z.string(),
  title: maybe(z.string()),
  name: maybe(z.string()),
  kind: maybe(z.enum(toolKinds).catch('other')),
  status: maybe(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
  content: maybe(z.array(contentSchema)),
  locations: maybe(z.array(z.object({ path: z.string() }))),
  rawInput: z.unknown().optional(),
  _meta: z.unknown().optional(),
});

const optionSchema = z.looseObject({
  id: z.string(),
  category: z.string().nullish(),
  type: z.string(),
  currentValue: z.union([z.string(), z.boolean()]),
  options: z.unknown().optional(),
});

/** A choice that an agent offers for its session, e.g. its mode or model. */
export interface ConfigOption {
  readonly id: string;
  readonly category: string | null;
  readonly value: string | boolean;
  /** The allowed values. Empty if the option is no choice of names. */
  readonly choices: readonly string[];
}

/** Options in either form of ACP: with or without groups. */
const choicesSchema = z
  .array(
    z.union([
      z.object({ value: z.string() }).transform(({ value }) => [value]),
      z
        .object({ options: z.array(z.object({ value: z.string() })) })
        .transform(({ options }) => options.map(({ value }) => value)),
    ]),
  )
  .transform((all) => all.flat())
  .catch([]);

/** The options of `session/new` and `config_option_update`. Leaves out options of unknown form. */
export const parseOptions = (value: unknown): readonly ConfigOption[] =>
  z
    .array(z.unknown())
    .catch([])
    .parse(value)
    .flatMap((entry) => {
      const { data } = optionSchema.safeParse(entry);
      if (!data) return [];
      const { id, category, currentValue } = data;
      return [
        { id, category: category ?? null, value: currentValue, choices: choicesSchema.parse(data.options) },
      ];
    });

const textSchema = z.object({
  content: z.object({ type: z.literal('text'), text: z.string() }),
  messageId: maybe(z.string()),
  _meta: maybe(
    z.object({
      usage: z.object({ inputTokens: z.number().nonnegative(), outputTokens: z.number().nonnegative() }),
    }),
  ),
});
const planSchema = z.object({
  entries: z.array(
    z.object({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed']).catch('pending'),
    }),
  ),
});
const usageSchema = z.object({
  used: z.number(),
  size: z.number(),
  cost: maybe(z.object({ amount: z.number(), currency: z.string() })),
});
const other: AgentUpdate = { kind: 'other' };

const text =
  (kind: 'text' | 'thought') =>
  (update: unknown): AgentUpdate => {
    const { data } = textSchema.safeParse(update);
    if (!data) return other;
    const used = data._meta?.usage;
    const tokens = used && { input: used.inputTokens, output: used.outputTokens };
    const words = data.content.text;
    if (kind === 'thought') return { kind, text: words };
    const message = data.messageId;
    return { kind, text: words, ...(tokens ? { tokens } : {}), ...(message ? { message } : {}) };
  };

const tool =
  (begins: boolean) =>
  (update: unknown): AgentUpdate => {
    const { data } = toolPatchSchema.safeParse(update);
    return data ? { kind: 'tool', call: data, ...(begins ? { begins } : {}) } : other;
  };

const parsers: Readonly<Record<string, (update: unknown) => AgentUpdate>> = {
  agent_message_chunk: text('text'),
  agent_thought_chunk: text('thought'),
  tool_call: tool(true),
  tool_call_update: tool(false),
  plan: (update) => {
    const { data } = planSchema.safeParse(update);
    if (!data) return other;
    return { kind: 'plan', entries: data.entries.map(({ content, status }) => ({ text: content, status })) };
  },
  usage_update: (update) => {
    const { data } = usageSchema.safeParse(update);
    return data ? { kind: 'usage', used: data.used, size: data.size, cost: data.cost ?? null } : other;
  },
  current_mode_update: (update) => {
    const { data } = z.object({ currentModeId: z.string() }).safeParse(update);
    return data ? { kind: 'mode', mode: data.currentModeId } : other;
  },
  config_option_update: (update) => {
    const { data } = z.object({ configOptions: z.unknown().optional() }).safeParse(update);
    return data ? { kind: 'options', options: parseOptions(data.configOptions) } : other;
  },
  compaction_update: (update) =>
    z.object({ status: z.literal('completed') }).safeParse(update).success ? { kind: 'compacted' } : other,
};

/** Built once: zod compiles a schema at its first use, which costs more than reading a thousand chunks. */
const notificationSchema = z.object({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

/** Reads the parameters of a `session/update`. Never throws. */
export const parseUpdate = (value: unknown): { readonly session: string; readonly update: AgentUpdate } => {
  const { data } = notificationSchema.safeParse(value);
  if (!data) return { session: '', update: other };
  const parse = Object.hasOwn(parsers, data.update.sessionUpdate)
    ? parsers[data.update.sessionUpdate]
    : undefined;
  return { session: data.sessionId, update: parse?.(data.update) ?? other };
};
