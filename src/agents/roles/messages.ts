import { z } from 'zod';
import { verdictSchema } from '../../signals/signal.ts';
import type { Message } from '../port.ts';
import { oneLine } from './markdown.ts';

/** Adds what is new, once per signal id, in the order of arrival. */
export const joinMessages = (known: readonly Message[], more: readonly Message[]): readonly Message[] => {
  const ids = new Set(known.map((message) => message.id));
  return [...known, ...more.filter((message) => !ids.has(message.id))];
};

/** Messages as continuations keep them. */
export const messageSchema = z.object({
  id: z.string(),
  kind: z.enum(['STEER', 'INFO', 'PAUSE', 'RESUME', 'RETRY']),
  text: z.string(),
  from: z.string().exactOptional(),
  apply: verdictSchema.exactOptional(),
});

/** `RALPH_STEER`: the STEER texts so far, one a line (plan-and-config.md, plan.yaml). */
export const steerText = (messages: readonly Message[]): string =>
  lines(messages.filter((message) => message.kind === 'STEER'));

/** `RALPH_INFO`: everything else that was said, one a line; a retry's feedback and the words of a PAUSE are context too. */
export const infoText = (messages: readonly Message[]): string =>
  lines(messages.filter((message) => message.kind !== 'STEER'));

/** One line of at most `limit` characters, for reports and `action_taken`. */
export const summarize = (text: string, limit = 160): string => {
  const line = oneLine(text);
  const points = [...line];
  return points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`;
};

const lines = (messages: readonly Message[]): string =>
  messages
    .map((message) => oneLine(message.text))
    .filter((text) => text !== '')
    .join('\n');
