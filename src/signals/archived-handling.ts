import { z } from 'zod';
import { actionPrefixes, archivedAction } from './archived-action.ts';
import type { Handling } from './mailbox.ts';

/** `id` and `written_at`, the modification time of the signal's file, are ours. The prompt agents write neither. */
export type ArchivedHandling = Handling & {
  readonly id: string | null;
  readonly written_at?: string | undefined;
};

export type HandlingToWrite = Handling & { readonly written_at?: string };

const wireSchema = z.object({
  id: z.string().nullable().catch(null),
  handled_by: z.string().catch(''),
  handled_at: z.string().catch(''),
  action_taken: z.string().catch(''),
  /** The prompt agents write none: they archive only handled signals. */
  outcome: z.enum(['handled', 'delivered', 'undelivered', 'withdrawn']).catch('handled'),
  checkpoint: z.string().catch(''),
  invocation: z.string().nullable().catch(null),
  written_at: z.string().optional().catch(undefined),
  acks: z.array(z.string()).readonly().catch([]),
});

/** Reads `handling_metadata` of an archived signal; `null` where there is none. */
export const readHandling = (value: unknown): ArchivedHandling | null => {
  const wire = wireSchema.safeParse(value).data;
  if (!wire) return null;
  const prefix = actionPrefixes[wire.outcome];
  const action_taken = wire.action_taken.startsWith(prefix)
    ? wire.action_taken.slice(prefix.length)
    : wire.action_taken;
  return { ...wire, action_taken };
};

/** `handling_metadata` in the form of the file. */
export const wireHandling = (id: string, handling: HandlingToWrite): Readonly<Record<string, unknown>> => {
  const { handled_by, handled_at, outcome, action_taken: _, ...rest } = handling;
  return { id, handled_by, handled_at, action_taken: archivedAction(handling), outcome, ...rest };
};
