import { setTimeout as pause } from 'node:timers/promises';
import type { BenchTerminal } from './bench-terminal.ts';
import { median, percentile, type Spread, spreadOf } from './measure.ts';

/** What several rounds of keys took: medians over the rounds, and their spread. */
export interface KeyTimes {
  readonly p50: number;
  readonly p95: number;
  readonly p95Spread: Spread;
}

const rounds = 3;

/** Milliseconds from a key to the frame that shows what it did: `j` and `k` by turns, at moments that drift against every timer. */
export const keyTimes = (terminal: BenchTerminal, times: number): Promise<KeyTimes> =>
  inRounds(terminal, times, (turn) => ({
    key: turn % 2 === 0 ? 'j' : 'k',
    rest: 60 + ((turn * 37) % 100),
  }));

/** The same for any keys: which one a turn presses, and the milliseconds after it. */
export const inRounds = async (
  terminal: BenchTerminal,
  times: number,
  press: (turn: number) => { readonly key: string; readonly rest: number },
): Promise<KeyTimes> => {
  const all: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const samples: number[] = [];
    for (let turn = 0; turn < times + warm; turn += 1) {
      const { key, rest } = press(turn);
      const took = await terminal.pressAndSee(key);
      if (turn >= warm) samples.push(took);
      if (rest > 0) await pause(rest);
    }
    all.push(samples);
  }
  const p95s = all.map((samples) => percentile(samples, 0.95));
  return {
    p50: median(all.map((samples) => percentile(samples, 0.5))),
    p95: median(p95s),
    p95Spread: spreadOf(p95s),
  };
};

/** Keys at the beginning of a round that are not counted: an even number, so that turns go on where they were. */
const warm = 4;
