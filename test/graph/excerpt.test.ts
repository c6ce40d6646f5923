import { expect, test } from 'vitest';
import { coneOf, conesOf } from '../../src/graph/cones.ts';
import { drawingOf } from '../../src/graph/drawn-shape.ts';
import { fitGraph } from '../../src/graph/fit.ts';
import { foldDone } from '../../src/graph/fold.ts';
import type { Shape } from '../../src/graph/shape.ts';
import { walk } from '../../src/graph/walk.ts';
import { around, maxDrawn } from '../../src/graph/window.ts';
import { buildGraph } from '../../src/tasks/graph.ts';

const shapeOf = (edges: Readonly<Record<string, readonly string[]>>): Shape => {
  const tasks = Object.entries(edges).map(([id, blockedBy]) => ({ id, blockedBy, replaced_by: [] }));
  const { waves, waveOf, blockersOf } = buildGraph(tasks);
  return { ids: waves.flat(), waveOf, blockersOf };
};

const diamond = shapeOf({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'], e: ['d'], f: [] });

const drawn = (shape: Shape, width: number, height: number) =>
  fitGraph(shape, (id) => id.length + 2, { width, height });

test('a window of a large graph holds the task in its middle, its neighbours, and no more tasks than can be drawn', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
  const fan = shapeOf(Object.fromEntries(ids.map((id, index) => [id, index === 0 ? [] : ['t0']])));
  const chosen = around(fan, 't5000');
  expect(chosen.ids).toHaveLength(maxDrawn);
  for (const id of ['t0', 't5000', 't4999', 't5001']) expect(chosen.ids).toContain(id);
  expect(around(diamond, 'd')).toBe(diamond);
});

test('finished tasks of a part fold into one, with the edges that lead on', () => {
  const { shape, members } = foldDone(diamond, (id) => ['a', 'b', 'f'].includes(id));
  expect(shape.ids).toEqual(['+a', 'c', 'd', 'e']);
  expect(shape.blockersOf.get('c')).toEqual(['+a']);
  expect(shape.blockersOf.get('d')).toEqual(['+a', 'c']);
  expect(members.get('+a')).toEqual(['a', 'f', 'b']);
});

test('finished parts fold together, apart from several parts that go on', () => {
  const parts = shapeOf({ a: [], b: ['a'], c: [], d: ['c'], e: [], f: ['e'], g: [] });
  const { shape, members } = foldDone(parts, (id) => id !== 'b' && id !== 'd');
  expect(members).toEqual(new Map([['+e', ['e', 'g', 'f']]]));
  expect(shape.ids.toSorted()).toEqual(['+e', 'a', 'b', 'c', 'd']);
});

test('the cones hold what blocks a task and what it blocks, and only the edges between these', () => {
  const { edges } = drawn(diamond, 100, 30).layout;
  const cones = conesOf(edges, 'b');
  expect({ blockers: [...cones.blockers], blocked: [...cones.blocked] }).toEqual({
    blockers: ['a'],
    blocked: ['d', 'e'],
  });
  const lit = edges.flatMap((edge) => {
    const cone = coneOf(cones, 'b', edge);
    return cone === null ? [] : [`${edge.blocker} ${edge.task} ${cone}`];
  });
  expect(lit.sort()).toEqual(['a b before', 'b d after', 'd e after']);
});

test.each([
  { width: 46, height: 17, detail: 'short' },
  { width: 37, height: 17, detail: 'tiny' },
])('long ids in two streams are drawn whole in $width×$height: $detail', ({ width, height, detail }) => {
  const steps = ['plan', 'review', 'implement', 'pr', 'merge'];
  const shape = shapeOf({
    research: [],
    ...Object.fromEntries(
      [2, 3].flatMap((stream) =>
        steps.map((step, at) => [
          `${step}-${stream}_stream`,
          [at === 0 ? 'research' : `${steps[at - 1]}-${stream}_stream`],
        ]),
      ),
    ),
  });
  const titles = shape.ids.map((id) => `${id} of the greeter`);
  const fitted = drawingOf(
    { shape, members: new Map() },
    { anchor: null, width, height, titles, timed: true },
  );
  expect(fitted).toMatchObject({ detail, isWhole: true });
});

test('steps follow the edges where the ranks lie that way, and the rank otherwise', () => {
  const { layout } = drawn(diamond, 100, 30);
  expect(layout.form.way).toBe('right');
  expect(walk(layout, 'a', 'right')).toBe('b');
  expect(walk(layout, 'b', 'down')).toBe('c');
  expect(walk(layout, 'c', 'right')).toBe('d');
  expect(walk(layout, 'd', 'left')).toMatch(/^[bc]$/);
  expect(walk(layout, 'd', 'left', 'b')).toBe('b');
  expect(walk(layout, 'd', 'left', 'c')).toBe('c');
  expect(walk(layout, 'a', 'left')).toBeNull();
  const tall = drawn(diamond, 22, 30).layout;
  expect(tall.form.way).toBe('down');
  expect(walk(tall, 'a', 'down')).toMatch(/^[bc]$/);
  expect(walk(tall, 'b', 'right')).toBe('c');
});

test('a graph with room gets boxes, and gives them up before it is cut', () => {
  const forms = [
    [100, 30],
    [40, 9],
    [22, 30],
  ].map(([width = 0, height = 0]) => drawn(diamond, width, height).layout);
  expect(forms.map(({ form }) => `${form.way} ${form.boxed}`)).toEqual([
    'right true',
    'right false',
    'down false',
  ]);
  for (const { width, height } of forms.slice(1)) expect(width * height).toBeLessThan(700);
});
