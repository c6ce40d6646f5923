import { inRounds, type KeyTimes } from '../key-latency.ts';
import { below } from '../limits.ts';
import { inLiveSession } from '../live-session.ts';
import { type Row, rowsOf } from '../measure.ts';

const tasks = 10_000;
const keys = 60;

/**
 * Walking through a list of ten thousand tasks of which one runs, with `j`: from the key to the frame that shows the next row marked. Measured twice. First as a
 * key that is held down repeats, thirty times a second; then harder, each key the moment the frame of the one before it was seen, where the limit of sixty
 * frames a second makes the frame wait.
 */
export const manyTasks = (): Promise<readonly Row[]> =>
  inLiveSession('exec sleep 3600', tasks, async (terminal) => [
    ...(await rowsOf(`j in ${tasks} tasks, held`, async () => [
      row('held, 30 a second', await inRounds(terminal, keys, () => ({ key: 'j', rest: 33 }))),
    ])),
    ...(await rowsOf(`j in ${tasks} tasks, at once`, async () => [
      row(
        'each at once after the frame before',
        await inRounds(terminal, keys, () => ({ key: 'j', rest: 0 })),
      ),
    ])),
  ]);

const row = (how: string, { p50, p95, p95Spread }: KeyTimes): Row => ({
  name: `j in ${tasks} tasks, ${how}, p95`,
  value: p95,
  unit: 'ms',
  base: { name: 'its p50', value: p50 },
  ...below(p95, 35, 'ms'),
  spread: p95Spread,
});
