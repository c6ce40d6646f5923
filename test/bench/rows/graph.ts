import { fitGraph } from '../../../src/graph/fit.ts';
import { paintRows } from '../../../src/graph/paint.ts';
import { around } from '../../../src/graph/window.ts';
import { buildGraph, standing } from '../../../src/tasks/graph.ts';
import { type Row, sampleTurns, turnsRow } from '../measure.ts';

const tasks = 10_000;
const edges = 20_000;

/** What nobody can do without: the tasks of the big graph in an order in which each comes after its blockers. */
const baseName = `a bare order of ${tasks} tasks`;

/** Waves and ready set of a big graph, and the drawing of a graph, warm, beside a bare topological order. */
export const graph = async (): Promise<readonly Row[]> => {
  const nodes = bigGraph();
  const nothing = new Map<string, never>();
  const turns = sampleTurns(
    30,
    () => void standing(buildGraph(nodes), nothing, 3),
    () => void bareOrder(nodes),
    10,
  );
  return [turnsRow(`ready set and waves, ${tasks} tasks`, baseName, 2, turns), drawn(100), drawn(tasks)];
};

type Nodes = ReturnType<typeof bigGraph>;

const bareOrder = (nodes: Nodes): readonly string[] => {
  const left = new Map<string, number>();
  const dependants = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, blockedBy } of nodes) {
    left.set(id, blockedBy.length);
    for (const blocker of blockedBy) dependants.get(blocker)?.push(id);
  }
  const order = nodes.flatMap(({ id, blockedBy }) => (blockedBy.length === 0 ? [id] : []));
  for (const id of order)
    for (const next of dependants.get(id) ?? []) {
      const waits = (left.get(next) ?? 0) - 1;
      left.set(next, waits);
      if (waits === 0) order.push(next);
    }
  return order;
};

/** Layout and rows of the drawn graph on a screen of 200×50, without anything remembered. */
const drawn = (count: number): Row => {
  const nodes = bigGraph();
  const built = buildGraph(nodes.slice(0, count));
  const ids = built.waves.flat();
  const plain = { tone: 'edge', heavy: false } as const;
  const turns = sampleTurns(
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
    () => void bareOrder(nodes),
    5,
  );
  return turnsRow(`drawn graph, ${count} tasks`, baseName, 2, turns);
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
