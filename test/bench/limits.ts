import { median, type Row, sample } from './measure.ts';

/** Milliseconds of `work` on the machine for which the limits were set (two cores, idle, Node 24). */
const usual = 4;

/** A fixed piece of what the program mostly does: it writes, reads, sorts and joins text. */
const work = (): void => {
  const rows = Array.from({ length: 4_000 }, (_, at) => ({
    id: `t${(at * 7_919) % 4_001}`,
    blockedBy: [`t${at}`],
  }));
  const again: typeof rows = JSON.parse(JSON.stringify(rows));
  again.sort((a, b) => (a.id < b.id ? -1 : 1));
};

/** How many times as long as usual the machine takes now for the same work. 1 where it is as fast as usual, or faster. */
export const slowness = (): number => Math.max(1, median(sample(15, work, 5)) / usual);

/**
 * Target and verdict of a value that takes time: the limit holds on the usual machine, and a slower or busier one has as many times more. A row never
 * fails for the machine.
 */
export const below = (
  value: number,
  limit: number,
  unit: 'ms' | '% of a core',
  slow = slowness(),
): Pick<Row, 'target' | 'ok'> => ({
  target: `< ${limit.toLocaleString('en')} ${unit}${isSlow(slow) ? ` × ${slow.toFixed(1)} for the slower machine` : ''}`,
  ok: value < limit * (isSlow(slow) ? slow : 1),
});

/** Less is noise. */
const isSlow = (slow: number): boolean => slow > 1.1;
