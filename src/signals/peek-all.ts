import type { Mailbox, Peeked } from './mailbox.ts';
import { mostPending } from './peek.ts';

/**
 * Peeks until nothing is left unread: one peek is bounded in files and in time, and whoever looks only once must see all. Each reads at least one more
 * file, so this many see whatever a mailbox may hold (rule 12), and nobody who writes faster keeps it going.
 */
export const peekAll = (mailbox: Pick<Mailbox, 'peek'>): Peeked => {
  let peeked = mailbox.peek();
  for (let round = 0; peeked.more && round < mostPending; round += 1) peeked = mailbox.peek();
  return peeked;
};
