import { z } from 'zod';
import { utf8Length } from '../../base/utf8-length.ts';
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

/** Linux starts no program with a variable of 128 KiB or more; words to an agent must not be what keeps its command from starting. */
const mostBytes = 100_000;

/** One a line. Where they are more than a variable takes, the newest, and how many are left out. */
const lines = (messages: readonly Message[]): string => {
  const texts = messages.map((message) => oneLine(message.text)).filter((text) => text !== '');
  let room = mostBytes;
  const first = texts.findLastIndex((text) => {
    room -= utf8Length(text) + 1;
    return room < 0;
  });
  const kept = texts.slice(first + 1);
  return first < 0 ? kept.join('\n') : [leftOut(first + 1), ...kept].join('\n');
};

const leftOut = (count: number): string =>
  `(${count === 1 ? 'the oldest message is' : `the ${count} oldest messages are`} left out here, for a command takes no more; signals/processed has all)`;
