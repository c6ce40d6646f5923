import type { Clock } from '../../base/clock.ts';
import type { Mailbox, Peeked } from '../mailbox.ts';
import { mostPending } from './peek.ts';

/**
 * Peeks until nothing is left unread. One peek is bounded in files and in time, but a caller that looks only once must see all. Each peek reads
 * at least one more file, so this many cover the fullest mailbox (rule 12), and a fast writer cannot prolong the loop.
 */
export const peekAll = (mailbox: Pick<Mailbox, 'peek'>): Peeked => {
  let peeked = mailbox.peek();
  for (let round = 0; peeked.more && round < mostPending; round += 1) peeked = mailbox.peek();
  return peeked;
};

/**
 * Like `peekAll`, once every signal that may still be growing has settled (rule 2): a program that looks only once also reads files without an
 * end mark. Waits at most two seconds, and not at all when each file ends with its mark.
 */
export const peekRested = async (mailbox: Pick<Mailbox, 'peek'>, clock: Clock): Promise<Peeked> => {
  const peeked = peekAll(mailbox);
  if (peeked.settlesInMs === 0) return peeked;
  // A timer may fire a millisecond early.
  await new Promise<void>((resolve) => void clock.after(Math.ceil(peeked.settlesInMs) + 2, resolve));
  return peekAll(mailbox);
};
