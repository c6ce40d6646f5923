import { setTimeout as pause } from 'node:timers/promises';
import type { BenchTerminal } from '../bench-terminal.ts';
import { inRounds, type KeyTimes } from '../key-latency.ts';
import { below } from '../limits.ts';
import { inLiveSession } from '../live-session.ts';
import { median, type Row, rowsOf, spreadOf } from '../measure.ts';
import { watchLoad } from '../process-load.ts';

const tasks = 10_000;
const keys = 60;

/**
 * The drawn graph of ten thousand tasks of which one runs and the others wait for it: `j` down the column as in the list, out of one window into the next;
 * the redraw of the whole graph in another size, by `z`; and what the drawing adds to the memory.
 */
export const manyDrawn = (): Promise<readonly Row[]> =>
  inLiveSession('exec sleep 3600', tasks, async (terminal) => {
    const inList = await watchLoad(terminal.pid, 2);
    terminal.press('w');
    await terminal.waitFor(/\d+ of 10000 drawn/);
    // Along an edge, into the column of those that wait.
    await terminal.pressAndSee('l');
    return [
      ...(await rowsOf(`j in the graph of ${tasks} tasks`, async () => [
        j('held, 30 a second', await inRounds(terminal, keys, () => ({ key: 'j', rest: 33 }))),
        j(
          'each at once after the frame before',
          await inRounds(terminal, keys, () => ({ key: 'j', rest: 0 })),
        ),
      ])),
      ...(await rowsOf(`redraw of the graph of ${tasks} tasks`, async () => [await redraw(terminal)])),
      memory((await watchLoad(terminal.pid, 2)).rss, inList.rss),
    ];
  });

const j = (how: string, { p50, p95, p95Spread }: KeyTimes): Row => ({
  name: `j in the graph of ${tasks} tasks, ${how}, p95`,
  value: p95,
  unit: 'ms',
  base: { name: 'its p50', value: p50 },
  ...below(p95, 35, 'ms'),
  spread: p95Spread,
});

const redraw = async (terminal: BenchTerminal): Promise<Row> => {
  const samples: number[] = [];
  const keyed: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) keyed.push(await terminal.pressAndSee(turn % 2 === 0 ? 'j' : 'k'));
  for (let turn = 0; turn < 20; turn += 1) {
    samples.push(await terminal.pressUntil('z', turn % 2 === 0 ? /\[Tasks\]/ : /─ Inbox /));
    await pause(100 + ((turn * 37) % 100));
  }
  const value = median(samples);
  return {
    name: `redraw of the graph of ${tasks} tasks in another size`,
    value,
    unit: 'ms',
    base: { name: 'a key in the same graph, p50', value: median(keyed) },
    ...below(value, 50, 'ms'),
    spread: spreadOf(samples),
  };
};

const memory = (drawn: number, inList: number): Row => ({
  name: `memory with the graph of ${tasks} tasks drawn`,
  value: drawn,
  unit: 'MB',
  base: { name: 'as waves', value: inList },
  target: '< 40 MB more',
  ok: drawn - inList < 40,
});
