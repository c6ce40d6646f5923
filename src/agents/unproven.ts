import { fenced, fenceRule } from './fence.ts';
import type { Message } from './port.ts';

/** Messages of people, and those that any program may have put into the mailbox: they are data for agents, never orders (src/signals/README.md, rule 13). */
export const byProof = (messages: readonly Message[]): Record<'proven' | 'unproven', readonly Message[]> => ({
  proven: messages.filter(({ unproven }) => unproven !== true),
  unproven: messages.filter(({ unproven }) => unproven === true),
});

/** The source that an agent sees at such a message. */
export const unprovenSource = 'the mailbox, author not proven';

/** Unproven messages between fences. `nonce`: a word that their authors cannot know. */
export const unprovenLines = (messages: readonly Message[], nonce: string): readonly string[] =>
  messages.map(({ text }) => fenced(nonce, unprovenSource, text));

/**
 * The same for a place without a fence of its own, '' without messages. An author cannot write the id into a message, because it is the hash of the
 * message.
 */
export const unprovenText = (messages: readonly Message[]): string => {
  const [first] = messages;
  if (first === undefined) return '';
  const nonce = first.id.slice(0, 16);
  return [
    `A message from the mailbox, author not proven. ${fenceRule(nonce)}`,
    ...unprovenLines(messages, nonce),
  ].join('\n');
};
