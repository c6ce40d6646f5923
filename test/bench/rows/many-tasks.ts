import type { BenchTerminal } from '../bench-terminal.ts';
import { inRounds, type KeyTimes } from '../key-latency.ts';
import { inLiveSession } from '../live-session.ts';
import { atMost, type Row, rowsOf } from '../measure.ts';

const tasks = 10_000;
/** So many are a list as well, not a drawing. `j` and `k` by turns stay among them. */
const fewTasks = 100;
const keys = 60;

/**
 * Walking through a list of ten thousand tasks of which one runs, with `j`, beside the same in a list of a hundred: from the key to the frame that shows the
 * next row marked. Measured twice. First as a key that is held down repeats, thirty times a second; then harder, each key the moment the frame of the one
 * before it was seen, where the limit of sixty frames a second makes the frame wait.
 */
export const manyTasks = async (): Promise<readonly Row[]> => {
  const small = await inLiveSession('exec sleep 3600', fewTasks, async (terminal) => ({
    held: await walk(terminal, 33, (turn) => (turn % 2 === 0 ? 'j' : 'k')),
    atOnce: await walk(terminal, 0, (turn) => (turn % 2 === 0 ? 'j' : 'k')),
  }));
  return inLiveSession('exec sleep 3600', tasks, async (terminal) => [
    ...(await rowsOf(`j in ${tasks} tasks, held`, async () => [
      row('held, 30 a second', await walk(terminal, 33), small.held),
    ])),
    ...(await rowsOf(`j in ${tasks} tasks, at once`, async () => [
      row('each at once after the frame before', await walk(terminal, 0), small.atOnce),
    ])),
  ]);
};

const walk = (
  terminal: BenchTerminal,
  rest: number,
  keyOf: (turn: number) => string = () => 'j',
): Promise<KeyTimes> => inRounds(terminal, keys, (turn) => ({ key: keyOf(turn), rest }));

const row = (how: string, { p95, p95Spread }: KeyTimes, small: KeyTimes): Row => ({
  name: `j in ${tasks} tasks, ${how}, p95`,
  value: p95,
  unit: 'ms',
  base: { name: `in ${fewTasks} tasks, p95`, value: small.p95 },
  ...atMost(2, p95, small.p95),
  spread: p95Spread,
});
