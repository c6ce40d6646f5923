import { type OffsetOf, parseInstant, parseSignalName } from './names.ts';
import type { Letter, Signal } from './signal.ts';

/** A letter with the instants it is ordered by, in milliseconds. */
export interface Ordered<T extends Letter = Letter> {
  readonly letter: T;
  readonly written: number;
  readonly created: number;
}

/**
 * Rule 4: parsed instant, then `created_at`, then name; never by raw name. ABORT overtakes everything, and a change of the hold overtakes the rest:
 * RESUME and `resume: true` go with PAUSE, because what was asked last about the hold has to be what counts.
 */
export const compareOrdered = (a: Ordered, b: Ordered): number =>
  urgency(a.letter.signal) - urgency(b.letter.signal) ||
  a.written - b.written ||
  a.created - b.created ||
  compareText(a.letter.file, b.letter.file);

/** Gives a letter its instants: the name's, else `created_at`, else when the file was last changed. */
export const orderOf = <T extends Letter>(letter: T, mtimeMs: number, offsetOf: OffsetOf): Ordered<T> => {
  const said = letter.signal.created_at;
  const created = said === undefined ? null : parseInstant(said, offsetOf);
  const named = parseSignalName(letter.file, offsetOf);
  return { letter, written: named ?? created ?? mtimeMs, created: created ?? named ?? mtimeMs };
};

/** What decides whether the session goes on at all: it overtakes messages, and finds room where they find none. */
export const isUrgent = (signal: Signal): boolean => urgency(signal) < 2;

const urgency = (signal: Signal): number => {
  if (signal.type === 'ABORT') return 0;
  return signal.type === 'PAUSE' || signal.type === 'RESUME' || signal.resume === true ? 1 : 2;
};

/** By code units, the same on every machine. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
