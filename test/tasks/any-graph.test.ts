import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildGraph, type GraphTask, standing, type TaskStanding } from '../../src/tasks/graph.ts';
import { taskStatusSchema } from '../../src/tasks/task.ts';
import { draws } from '../helpers/test-form.ts';

const id = fc.nat(9).map((at) => `t${at}`);
const edges = fc.array(id, { maxLength: 4 });
const tasks: fc.Arbitrary<readonly GraphTask[]> = fc.array(
  fc.record({
    id,
    blockedBy: edges,
    replaced_by: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: edges }),
  }),
  { maxLength: 10 },
);
const states = fc.dictionary(
  id,
  fc.record({ status: fc.constantFrom(...taskStatusSchema.options), failures: fc.nat(4) }),
);

/** What each task waits for in the end, worked out by looking and not by the graph: a split one stands for its parts. */
const partsOf = (
  all: readonly GraphTask[],
  wanted: string,
  seen: readonly string[] = [],
): readonly string[] => {
  const known = new Map(all.map((task) => [task.id, task]));
  const parts = (known.get(wanted)?.replaced_by ?? []).filter(
    (part) => known.has(part) && part !== wanted && !seen.includes(part),
  );
  return parts.length === 0 ? [wanted] : parts.flatMap((part) => partsOf(all, part, [...seen, wanted]));
};

it('whatever the graph and the states, what is ready waits for nothing, every task has one wave, and nothing is thrown', () => {
  fc.assert(
    fc.property(tasks, states, (all, known) => {
      const graph = buildGraph(all);
      const ids = [...new Set(all.map((task) => task.id))];
      expect(graph.waves.flat().sort()).toEqual([...ids].sort());
      const now = new Map<string, TaskStanding>(Object.entries(known));
      const { ready, waitingFor, unreachable, settled } = standing(graph, now, 3);
      for (const task of ready) {
        expect(
          (graph.blockersOf.get(task) ?? []).filter((blocker) => now.get(blocker)?.status !== 'done'),
        ).toEqual([]);
        expect(settled.has(task) || waitingFor.has(task) || unreachable.has(task)).toBe(false);
        // Looked at again without the graph, where nobody was split in a ring.
        const last = all.findLast((each) => each.id === task);
        if (all.every((each) => each.replaced_by.length === 0))
          for (const blocker of last?.blockedBy ?? [])
            expect(now.get(blocker)?.status, `${task} waits for ${blocker}`).toBe('done');
      }
      if (new Set(all.map((each) => each.id)).size === all.length)
        for (const task of all)
          for (const blocker of graph.blockersOf.get(task.id) ?? [])
            expect(
              task.blockedBy.some((named) => named === blocker || partsOf(all, named).includes(blocker)),
            ).toBe(true);
    }),
    draws(2_000),
  );
});

it('a chain of 20,000 tasks, and one of 20,000 splits, are worked out like any other', () => {
  const at = (index: number): string => `t${index}`;
  const chain = Array.from({ length: 20_000 }, (_, index) => ({
    id: at(index),
    blockedBy: index === 0 ? [] : [at(index - 1)],
    replaced_by: [],
  }));
  expect(buildGraph(chain).waves).toHaveLength(20_000);
  const splits = Array.from({ length: 20_000 }, (_, index) => ({
    id: at(index),
    blockedBy: [],
    replaced_by: index === 19_999 ? [] : [at(index + 1)],
  }));
  const graph = buildGraph([...splits, { id: 'last', blockedBy: [at(0)], replaced_by: [] }]);
  expect(graph.blockersOf.get('last')).toEqual([at(19_999)]);
});
