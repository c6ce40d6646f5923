import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { yamlExcess } from '../../base/yaml-bounds.ts';
import { parseSignal } from '../envelope.ts';
import { isBroadcast } from '../routing.ts';
import { agentSchema, type Signal } from '../signal.ts';

/** `acks/<id16>/recipients.yaml`: the recipients of a broadcast, and its text (rule 8). */
export interface Frozen {
  readonly id: string;
  readonly file: string;
  readonly frozen_at: string;
  readonly recipients: readonly {
    readonly agent: z.infer<typeof agentSchema>;
    readonly invocation: string;
  }[];
  readonly text: string;
  readonly signal: Signal;
}

/** Fits the signal's text, quoted, and one line for each recipient. */
export const largestRecipients = 256 * 1024;

const recipientSchema = z.object({ agent: agentSchema, invocation: z.string() });
const recipientsSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/),
  file: z.string(),
  frozen_at: z.string(),
  recipients: z.array(recipientSchema).readonly(),
  text: z.string(),
});

export const formatRecipients = (frozen: Omit<Frozen, 'signal'>): string =>
  stringify(frozen, { lineWidth: 0, aliasDuplicateObjects: false });

/** Null for foreign content. */
export const parseRecipients = (bytes: Uint8Array): Frozen | null => {
  const frozen = recipientsSchema.safeParse(read(bytes)).data;
  if (!frozen) return null;
  const { value } = parseSignal(frozen.file, new TextEncoder().encode(frozen.text));
  // Another type in here would be acted on without its file.
  return value === null || !isBroadcast(value) ? null : { ...frozen, signal: value };
};

const ackSchema = recipientSchema.extend({
  state: z.enum(['acked', 'ended']),
  action: z.string(),
  at: z.string(),
  checkpoint: z.string(),
});

/** `<Agent>~<invocation>.ack.yaml`. */
type Ack = z.infer<typeof ackSchema>;

export const formatAck = (ack: Ack): string => stringify(ack, { lineWidth: 0 });

export const parseAck = (bytes: Uint8Array): Ack | null => ackSchema.safeParse(read(bytes)).data ?? null;

const read = (bytes: Uint8Array): unknown => {
  const text = new TextDecoder().decode(bytes);
  if (yamlExcess(text, { depth: 8, entries: 20_000 }) !== null) return null;
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return null;
  }
};
