import type { Event } from '../../src/pipeline/event.ts';

/** How much each running invocation printed in each second of the last minute. Changes in place. */
export interface OutputRates {
  readonly take: (event: Event) => void;
  /** Characters in the last minute before `now`, in `parts` equal parts, the oldest first. */
  readonly of: (invocation: string, now: number, parts: number) => readonly number[];
  /** When the invocation last printed. `null` before that. */
  readonly lastAt: (invocation: string) => number | null;
}

const seconds = 60;

interface Ring {
  readonly counts: Float64Array;
  /** The second of the newest count, since the epoch. */
  newest: number;
  lastAt: number;
}

export const createOutputRates = (): OutputRates => {
  const rings = new Map<string, Ring>();
  const take = (event: Event): void => {
    if (event.type === 'invocation.ended' || event.type === 'invocation.interrupted')
      rings.delete(event.invocation);
    if (event.type !== 'output.written') return;
    const at = Date.parse(event.at);
    const second = Math.floor(at / 1_000);
    const ring = rings.get(event.invocation) ?? {
      counts: new Float64Array(seconds),
      newest: second,
      lastAt: at,
    };
    rings.set(event.invocation, ring);
    // Seconds without output in between count 0. Output that is older than a minute is not counted.
    for (let next = Math.max(ring.newest + 1, second - seconds + 1); next <= second; next += 1)
      ring.counts[next % seconds] = 0;
    ring.newest = Math.max(ring.newest, second);
    ring.lastAt = Math.max(ring.lastAt, at);
    if (second > ring.newest - seconds)
      ring.counts[second % seconds] = (ring.counts[second % seconds] ?? 0) + event.text.length;
  };
  const of = (invocation: string, now: number, parts: number): readonly number[] => {
    const ring = rings.get(invocation);
    const sums = new Array<number>(parts).fill(0);
    if (ring === undefined) return sums;
    const size = seconds / parts;
    // Parts begin at whole multiples, so that they move on together and not with every second.
    const last = Math.floor(Math.floor(now / 1_000) / size);
    for (let second = ring.newest - seconds + 1; second <= ring.newest; second += 1) {
      const part = parts - 1 - (last - Math.floor(second / size));
      if (part >= 0 && part < parts) sums[part] = (sums[part] ?? 0) + (ring.counts[second % seconds] ?? 0);
    }
    return sums;
  };
  return { take, of, lastAt: (invocation) => rings.get(invocation)?.lastAt ?? null };
};
