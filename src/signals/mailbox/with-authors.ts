import type { Mailbox, MailboxEntry } from '../mailbox.ts';
import type { PendingSignal, Signal } from '../signal.ts';

/** Gives a signal the author that is known, by its id. `over`: it is in the archive, for a look at what it was. */
export type Attribute = (id: string, signal: Signal, over: boolean) => Signal;

/** The same mailbox for readers that must know who wrote a signal: each signal that it returns has passed `attribute`. */
export const withAuthors = (mailbox: Mailbox, attribute: Attribute): Mailbox => {
  const known = <T extends PendingSignal>(pendingSignal: T): T => ({
    ...pendingSignal,
    signal: attribute(pendingSignal.id, pendingSignal.signal, false),
  });
  const listed = (entry: MailboxEntry): MailboxEntry =>
    entry.signal === null
      ? entry
      : { ...entry, signal: attribute(entry.id, entry.signal, ends.has(entry.stage)) };
  return {
    ...mailbox,
    peek: () => {
      const peeked = mailbox.peek();
      return peeked.pendingSignals.length === 0
        ? peeked
        : { ...peeked, pendingSignals: peeked.pendingSignals.map(known) };
    },
    claim: (pendingSignal) => {
      const claim = mailbox.claim(pendingSignal);
      return typeof claim === 'string' ? claim : known(claim);
    },
    recover: (options) => {
      const recovered = mailbox.recover(options);
      return { ...recovered, claims: recovered.claims.map(known) };
    },
    find: (pendingSignal) => {
      const entry = mailbox.find(pendingSignal);
      return entry === null ? null : listed(entry);
    },
    list: () => mailbox.list().map(listed),
  };
};

const ends: ReadonlySet<MailboxEntry['stage']> = new Set<MailboxEntry['stage']>(['processed', 'rejected']);
