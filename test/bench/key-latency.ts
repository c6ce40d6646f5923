import { setTimeout as pause } from 'node:timers/promises';
import type { BenchTerminal } from './bench-terminal.ts';

/** Milliseconds from a key to the frame that shows what it did: `j` and `k` by turns, at moments that drift against every timer. */
export const keyLatencies = async (terminal: BenchTerminal, times: number): Promise<readonly number[]> => {
  const samples: number[] = [];
  for (let turn = 0; turn < times + 4; turn += 1) {
    const took = await terminal.pressAndSee(turn % 2 === 0 ? 'j' : 'k');
    if (turn >= 4) samples.push(took);
    await pause(60 + ((turn * 37) % 100));
  }
  return samples;
};
