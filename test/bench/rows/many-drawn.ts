import { setTimeout as pause } from 'node:timers/promises';
import type { BenchTerminal } from '../bench-terminal.ts';
import { inRounds, type KeyTimes } from '../key-latency.ts';
import { inLiveSession } from '../live-session.ts';
import { atMost, median, type Row, rowsOf, spreadOf } from '../measure.ts';
import { watchLoad } from '../process-load.ts';

const tasks = 10_000;
const keys = 60;

/**
 * The drawn graph of ten thousand tasks of which one runs and the others wait for it: `j` down the column beside `j` in the list, out of one window into the next;
 * the redraw of the whole graph in another size, by `z`; and what the drawing adds to the memory.
 */
export const manyDrawn = (): Promise<readonly Row[]> =>
  inLiveSession('exec sleep 3600', tasks, async (terminal) => {
    const inList = await watchLoad(terminal.pid, 2);
    const walk = (rest: number): Promise<KeyTimes> => inRounds(terminal, keys, () => ({ key: 'j', rest }));
    const list = { held: await walk(33), atOnce: await walk(0) };
    terminal.press('g');
    await terminal.waitFor(/▌[^▌\r\n]{0,12}?[▸⠁-⣿] t0\b/);
    terminal.press('w');
    await terminal.waitFor(/\d+ of 10000 drawn/);
    // Along an edge, into the column of those that wait.
    await terminal.pressAndSee('l');
    return [
      ...(await rowsOf(`j in the graph of ${tasks} tasks`, async () => [
        j('held, 30 a second', await walk(33), list.held),
        j('each at once after the frame before', await walk(0), list.atOnce),
      ])),
      ...(await rowsOf(`redraw of the graph of ${tasks} tasks`, async () => [await redraw(terminal)])),
      memory((await watchLoad(terminal.pid, 2)).rss, inList.rss),
    ];
  });

const j = (how: string, { p95, p95Spread }: KeyTimes, inList: KeyTimes): Row => ({
  name: `j in the graph of ${tasks} tasks, ${how}, p95`,
  value: p95,
  unit: 'ms',
  base: { name: 'in the list, p95', value: inList.p95 },
  ...atMost(1.5, p95, inList.p95),
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
    ...atMost(3, value, median(keyed)),
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
