import { fitGraph } from '../../../src/graph/fit.ts';
import { paintRows } from '../../../src/graph/paint.ts';
import { around } from '../../../src/graph/window.ts';
import { buildGraph, standing } from '../../../src/tasks/graph.ts';
import { below } from '../limits.ts';
import { median, type Row, sample, spreadOf } from '../measure.ts';

const tasks = 10_000;
const edges = 20_000;

/** Waves and ready set of a big graph, warm, beside sorting as many numbers. */
export const graph = async (): Promise<readonly Row[]> => {
  const nodes = bigGraph();
  const nothing = new Map<string, never>();
  const samples = sample(30, () => void standing(buildGraph(nodes), nothing, 3), 10);
  const ours = median(samples);
  const bare = sortOf(nodes.length);
  return [
    {
      name: `ready set and waves, ${tasks} tasks`,
      value: ours,
      unit: 'ms',
      base: { name: 'sort of as many', value: bare },
      ...below(ours, 10, 'ms'),
      spread: spreadOf(samples),
    },
    drawn(100),
    drawn(tasks),
  ];
};

/** Milliseconds to sort so many numbers. */
const sortOf = (count: number): number => {
  const numbers = Array.from({ length: count }, (_, index) => (index * 7_919) % 10_007);
  return median(sample(30, () => void [...numbers].sort((a, b) => a - b), 10));
};

/** Layout and rows of the drawn graph on a screen of 200×50, without anything remembered. */
const drawn = (count: number): Row => {
  const built = buildGraph(bigGraph().slice(0, count));
  const ids = built.waves.flat();
  const plain = { tone: 'edge', heavy: false } as const;
  const samples = sample(
    20,
    () => {
      const shape = around(
        { ids, waveOf: built.waveOf, blockersOf: built.blockersOf },
        ids[count >> 1] ?? null,
      );
      const { layout } = fitGraph(
        shape,
        (id) => id.length + 2,
        { width: 200, height: 40 },
        { isWindow: true },
      );
      paintRows(layout, { edge: () => plain, frame: () => plain, ascii: false }, 0, 40);
    },
    5,
  );
  const ours = median(samples);
  const bare = sortOf(count);
  return {
    name: `drawn graph, ${count} tasks`,
    value: ours,
    unit: 'ms',
    base: { name: 'sort of as many', value: bare },
    ...below(ours, 16, 'ms'),
    spread: spreadOf(samples),
  };
};

/** Two blockers a task, from anywhere before it: the same every time. */
const bigGraph = () => {
  let state = 1;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return Array.from({ length: tasks }, (_, index) => ({
    id: `t${index}`,
    blockedBy: Array.from(
      { length: Math.min(index, edges / tasks) },
      () => `t${Math.max(0, index - 1 - below(Math.min(index, 400)))}`,
    ),
    replaced_by: [],
  }));
};
