import { type OffsetOf, parseInstant, parseSignalName } from './mailbox/names.ts';
import type { PendingSignal, Signal } from './signal.ts';

/** A pending signal with its ordering instants, in milliseconds. */
export interface Ordered<T extends PendingSignal = PendingSignal> {
  readonly pendingSignal: T;
  readonly written: number;
  readonly created: number;
}

/**
 * Rule 4: parsed instant, then `created_at`, then name; never by raw name. ABORT overtakes everything. A change of the hold and DRAIN overtake
 * the rest. RESUME and `resume: true` rank with PAUSE, because the last request about the hold must win.
 */
export const compareOrdered = (a: Ordered, b: Ordered): number =>
  urgency(a.pendingSignal.signal) - urgency(b.pendingSignal.signal) ||
  a.written - b.written ||
  a.created - b.created ||
  compareText(a.pendingSignal.file, b.pendingSignal.file);

/** Gives a pending signal its instants: the name's, else `created_at`, else the file's modification time. */
export const orderOf = <T extends PendingSignal>(
  pendingSignal: T,
  mtimeMs: number,
  offsetOf: OffsetOf,
): Ordered<T> => {
  const said = pendingSignal.signal.created_at;
  const created = said === undefined ? null : parseInstant(said, offsetOf);
  const named = parseSignalName(pendingSignal.file, offsetOf);
  return { pendingSignal, written: named ?? created ?? mtimeMs, created: created ?? named ?? mtimeMs };
};

/** Whether a signal decides if the session continues: it overtakes messages and is accepted in a full mailbox. */
export const isUrgent = (signal: Signal): boolean => urgency(signal) < 2;

const changesPace: ReadonlySet<Signal['type']> = new Set(['PAUSE', 'RESUME', 'DRAIN'] as const);

const urgency = (signal: Signal): number => {
  if (signal.type === 'ABORT') return 0;
  return changesPace.has(signal.type) || signal.resume === true ? 1 : 2;
};

/** Compares by code units: the same on every machine. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
