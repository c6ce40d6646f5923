import { z } from 'zod';
import { utf8Length } from '../../base/bytes.ts';
import { verdictSchema } from '../../signals/signal.ts';
import type { Message } from '../port.ts';
import { oneLine } from './markdown.ts';

/** Adds new messages, once for each signal id, in the order of arrival. */
export const joinMessages = (known: readonly Message[], more: readonly Message[]): readonly Message[] => {
  const ids = new Set(known.map((message) => message.id));
  return [...known, ...more.filter((message) => !ids.has(message.id))];
};

/** The form of messages in continuations. */
export const messageSchema = z.object({
  id: z.string(),
  kind: z.enum(['STEER', 'INFO', 'PAUSE', 'RESUME', 'RETRY']),
  text: z.string(),
  from: z.string().exactOptional(),
  apply: verdictSchema.exactOptional(),
  inForce: z.literal(true).exactOptional(),
  unproven: z.literal(true).exactOptional(),
});

/** `RALPH_STEER`: the STEER texts so far, one on each line (src/session/README.md, plan.yaml). */
export const steerText = (messages: readonly Message[]): string =>
  lines(messages.filter((message) => message.kind === 'STEER'));

/** `RALPH_INFO`: all other messages, one on each line. A retry's feedback and the text of a PAUSE count as context. */
export const infoText = (messages: readonly Message[]): string =>
  lines(messages.filter((message) => message.kind !== 'STEER'));

/** One line of at most `limit` characters, for reports and `action_taken`. */
export const summarize = (text: string, limit = 160): string => {
  const line = oneLine(text);
  const points = [...line];
  return points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`;
};

/** Linux starts no program with a variable of 128 KiB or more. Messages must not keep a command from starting. */
const mostBytes = 100_000;

/** Messages, one on each line. If a variable cannot hold all, keeps the newest and reports how many are missing. */
const lines = (messages: readonly Message[]): string => {
  const texts = messages
    .filter(({ text }) => oneLine(text) !== '')
    .map(({ text, unproven }) => `${unproven ? '(author not proven) ' : ''}${oneLine(text)}`);
  let room = mostBytes;
  const first = texts.findLastIndex((text) => {
    room -= utf8Length(text) + 1;
    return room < 0;
  });
  const kept = texts.slice(first + 1);
  return first < 0 ? kept.join('\n') : [leftOut(first + 1), ...kept].join('\n');
};

const leftOut = (count: number): string =>
  `(${count === 1 ? 'the oldest message is' : `the ${count} oldest messages are`} left out here, because a command cannot take more; all of them are in signals/processed)`;
