import { expect, test } from 'vitest';
import { boundOf, type SleepingTask, shapedGraph, shapes, sleepingGraph } from '../bench/task-graph.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';
import { asEarlier, type How, playGraph, roomOf } from '../helpers/play-graph.ts';

/** How many times the bound graphs out of several seeds take, on average and at worst. No duration is known before, unless `isKnown`. */
const ratios = (seeds: number, tasks: number, how: How, isKnown = false): Ratios =>
  ratiosOf(
    Array.from({ length: seeds }, (_, seed) => sleepingGraph(seed + 1, tasks, 2_200)),
    how,
    isKnown,
  );

interface Ratios {
  readonly mean: number;
  readonly worst: number;
}

const ratiosOf = (graphs: readonly (readonly SleepingTask[])[], how: How, isKnown: boolean): Ratios => {
  const all = graphs.map((graph, at) => {
    const { end, run } = playGraph(graph, isKnown ? { ...how, earlier: asEarlier(graph) } : how);
    expect(run.end(), `graph ${at + 1}`).toMatchObject({ exit_code: 0 });
    const ratio = end / boundOf(graph, roomOf(how));
    expect(ratio, `graph ${at + 1} ends before its bound`).toBeGreaterThan(1 - 1e-9);
    return ratio;
  });
  return { mean: all.reduce((sum, ratio) => sum + ratio, 0) / all.length, worst: Math.max(...all) };
};

test.each(['shared', 'worktree'] as const)(
  'without verify a graph in %s isolation ends little later than its longest chain or its work allows',
  (isolation) => {
    const { mean, worst } = ratios(25, 24, { isolation, slots: 3, verify: false });
    expect(mean).toBeLessThan(1.08);
    expect(worst).toBeLessThan(1.2);
  },
);

test('200 tasks in 8 slots keep all slots busy', () => {
  const { worst } = ratios(3, 200, { isolation: 'shared', slots: 8, verify: false });
  expect(worst).toBeLessThan(1.08);
});

test.each([
  ['verify', undefined, 1.15, 1.3],
  ['one in ten fails its verify once', (at: number) => at % 10 === 9, 1.35, 1.6],
] as const)('in worktrees with %s', (_, fails, mostMean, mostWorst) => {
  const how = { isolation: 'worktree', slots: 3, verify: true } as const;
  const { mean, worst } = ratios(25, 24, fails === undefined ? how : { ...how, fails });
  expect(mean).toBeLessThan(mostMean);
  expect(worst).toBeLessThan(mostWorst);
});

test.each(['shared', 'worktree'] as const)(
  'a graph whose tasks ran in an earlier session, in %s isolation, ends when its longest chain or its work allows',
  (isolation) => {
    const { mean, worst } = ratios(25, 24, { isolation, slots: 3, verify: false }, true);
    expect(mean).toBeLessThan(1.02);
    expect(worst).toBeLessThan(1.12);
  },
);

test.each([500, 1_500, 5_000])(
  'graphs of every shape whose tasks are known, with checks of %d ms, end little later than their bound',
  (checkMs) => {
    const how = { isolation: 'worktree', slots: 3, verify: true, checkMs } as const;
    for (const shape of shapes) {
      const graphs = Array.from({ length: 4 }, (_, seed) => shapedGraph(shape, seed + 1, 24, 4_000));
      expect(ratiosOf(graphs, how, true).mean, shape).toBeLessThan(1.15);
    }
  },
);

test('a slot goes to the check that more waits for, and not to the next task', () => {
  const how = { isolation: 'worktree', slots: 3, verify: true, checkMs: 5_000 } as const;
  const graphs = Array.from({ length: 40 }, (_, seed) => sleepingGraph(seed + 101, 24, 4_000));
  expect(ratiosOf(graphs, how, true).mean).toBeLessThan(1.095);
});

test('an estimate in time orders tasks as an earlier session does, and a task of another title is another task', () => {
  const run = createPipelineRun({
    earlier: {
      tasks: { a: { title: 'Another', ms: 60_000 }, b: { title: 'Task b', ms: 20_000 } },
      usual: null,
    },
    tasks: [
      defineTask('a'),
      defineTask('b', { title: 'Task b' }),
      defineTask('c', { metadata: { estimate: '30s' } }),
      defineTask('d', { metadata: { estimate: '10s' } }),
    ].map((task) => ({ ...task, files: [`${task.id}.txt`] })),
    settings: (old) => ({
      ...old,
      concurrency: { ...old.concurrency, max_parallel_executors: 1 },
    }),
  })
    .start()
    .work();
  expect(run.of('task.started').map(({ task }) => task)).toEqual(['c', 'a', 'b', 'd']);
});
