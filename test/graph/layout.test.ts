import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Form } from '../../src/graph/form.ts';
import { type Drawn, type GraphLayout, layOut, orderGraph, type Point } from '../../src/graph/layout.ts';
import { paintRows } from '../../src/graph/paint.ts';
import { buildGraph } from '../../src/tasks/graph.ts';
import { draws } from '../helpers/test-form.ts';

const forms: readonly Form[] = [
  { way: 'right', boxed: false, lines: 1, gap: 1, pad: 1, step: 2 },
  { way: 'right', boxed: false, lines: 1, gap: 0, pad: 1, step: 1 },
  { way: 'right', boxed: true, lines: 1, gap: 0, pad: 1, step: 2 },
  { way: 'down', boxed: false, lines: 1, gap: 1, pad: 0, step: 1 },
  { way: 'down', boxed: true, lines: 1, gap: 1, pad: 1, step: 1 },
];

type Edges = Readonly<Record<string, readonly string[]>>;

const shapeOf = (edges: Edges) => {
  const tasks = Object.entries(edges).map(([id, blockedBy]) => ({ id, blockedBy, replaced_by: [] }));
  const { waves, waveOf, blockersOf } = buildGraph(tasks);
  return { ids: waves.flat(), waveOf, blockersOf };
};

const drawn = (edges: Edges, form: Form): GraphLayout | null =>
  layOut(orderGraph(shapeOf(edges)), (id) => id.length, form);

const plain = { tone: 'edge', heavy: false } as const;

const textOf = (layout: GraphLayout, ascii = false): readonly string[] =>
  paintRows(
    layout,
    { edge: ({ against }) => ({ ...plain, dashed: against }), frame: () => plain, ascii },
    0,
    layout.height,
  ).map((runs) =>
    runs
      .map((run) => (run.kind === 'line' ? run.text : ` ${run.id}`.padEnd(run.width)))
      .join('')
      .trimEnd(),
  );

/** Any graph of up to 18 tasks; `back`: some edges may close cycles. */
const graphs = (back: boolean): fc.Arbitrary<Edges> =>
  fc
    .array(fc.array(fc.nat(17), { maxLength: 4 }), { minLength: 1, maxLength: 18 })
    .map((rows) =>
      Object.fromEntries(
        rows.map((targets, index) => [
          `t${index}`,
          [...new Set(targets)]
            .filter((target) => target < rows.length && (back || target < index))
            .map((target) => `t${target}`),
        ]),
      ),
    );

/** The cells of a line with the way in which it passes each. */
const cellsOf = ({ points }: Drawn): ReadonlyMap<string, Set<'across' | 'along'>> => {
  const cells = new Map<string, Set<'across' | 'along'>>();
  points.slice(1).forEach((to, index) => {
    const from = points[index] ?? to;
    expect(from.x === to.x || from.y === to.y, 'lines are straight').toBe(true);
    const length = Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
    for (let step = 0; step <= length; step += 1) {
      const x = from.x + Math.sign(to.x - from.x) * step;
      const y = from.y + Math.sign(to.y - from.y) * step;
      const ways = cells.get(`${x} ${y}`) ?? new Set();
      if (length > 0) ways.add(from.x === to.x ? 'across' : 'along');
      cells.set(`${x} ${y}`, ways);
    }
  });
  return cells;
};

/** The tasks at the two ends of a line, in the order of the ranks. */
const endsOf = ({ blocker, task, against }: Drawn): readonly [string, string] =>
  against ? [task, blocker] : [blocker, task];

const touches = ({ x, y }: Point, box: { x: number; y: number; width: number; height: number }): boolean =>
  x >= box.x - 1 && x <= box.x + box.width && y >= box.y - 1 && y <= box.y + box.height;

describe.each(forms)('$way, boxed $boxed, gap $gap', (form) => {
  test.each([false, true])(
    'no task covers another, and every edge leads from its blocker to its task (cycles %s)',
    (back) => {
      fc.assert(
        fc.property(graphs(back), (edges) => {
          const layout = drawn(edges, form);
          if (layout === null) {
            expect(form.gap === 0 && !form.boxed, 'only the densest form may refuse').toBe(true);
            return;
          }
          const taken = new Map<string, string>();
          for (const [id, box] of layout.boxes) {
            expect(
              box.x >= 0 &&
                box.y >= 0 &&
                box.x + box.width <= layout.width &&
                box.y + box.height <= layout.height,
            ).toBe(true);
            for (let x = box.x; x < box.x + box.width; x += 1)
              for (let y = box.y; y < box.y + box.height; y += 1) {
                expect(taken.get(`${x} ${y}`), `${id} at ${x} ${y}`).toBeUndefined();
                taken.set(`${x} ${y}`, id);
              }
          }
          const wanted = Object.entries(edges).flatMap(([task, blockers]) =>
            blockers.filter((blocker) => blocker !== task).map((blocker) => `${blocker} ${task}`),
          );
          expect(layout.edges.map(({ blocker, task }) => `${blocker} ${task}`).sort()).toEqual(wanted.sort());
          const rows = textOf(layout);
          for (const edge of layout.edges) {
            const [first, last] = endsOf(edge);
            const ends = [layout.boxes.get(first), layout.boxes.get(last)] as const;
            const [from, to] = [edge.points[0], edge.points.at(-1)];
            expect(ends[0] && from && touches(from, ends[0]), `${first} → ${last} begins`).toBe(true);
            expect(ends[1] && to && touches(to, ends[1]), `${first} → ${last} ends`).toBe(true);
            for (const cell of cellsOf(edge).keys()) {
              expect(taken.get(cell), `${first} → ${last} at ${cell}`).toBeUndefined();
              const [x = 0, y = 0] = cell.split(' ').map(Number);
              expect(rows[y]?.[x], `${first} → ${last} is drawn at ${cell}`).toMatch(/[\u2500-\u257f]/);
            }
          }
        }),
        draws(150),
      );
    },
  );

  test('lines of edges that have nothing in common cross, but never run over each other', () => {
    fc.assert(
      fc.property(graphs(true), (edges) => {
        const layout = drawn(edges, form);
        if (layout === null) return;
        const lines = layout.edges.map((edge) => ({ ends: endsOf(edge), cells: cellsOf(edge) }));
        const known = new Set(lines.map(({ ends }) => ends.join(' ')));
        for (const one of lines)
          for (const other of lines) {
            const [[a, b], [c, d]] = [one.ends, other.ends];
            if (new Set([a, b, c, d]).size < 4 || known.has(`${a} ${d}`) || known.has(`${c} ${b}`)) continue;
            for (const [cell, ways] of one.cells)
              for (const way of other.cells.get(cell) ?? [])
                expect(ways.has(way), `${a} → ${b} over ${c} → ${d} at ${cell}`).toBe(false);
          }
      }),
      draws(150),
    );
  });
});

test('the same graph is drawn the same way twice', () => {
  fc.assert(
    fc.property(graphs(true), fc.constantFrom(...forms), (edges, form) => {
      const [one, other] = [drawn(edges, form), drawn(structuredClone(edges), form)];
      expect(one && textOf(one)).toEqual(other && textOf(other));
    }),
    draws(50),
  );
});

test('ranks are the waves', () => {
  const layout = drawn({ a: [], b: ['a'], c: ['b'], d: ['a'], e: ['d', 'c'] }, formOf('right'));
  expect([...(layout?.boxes ?? [])].map(([id, { rank }]) => [id, rank])).toEqual([
    ['a', 0],
    ['b', 1],
    ['d', 1],
    ['c', 2],
    ['e', 3],
  ]);
});

const formOf = (way: Form['way']): Form => ({ way, boxed: false, lines: 1, gap: 1, pad: 1, step: 2 });

test('a chain is one straight line, and a fan one trunk', () => {
  const chain = drawn({ a: [], b: ['a'], c: ['b'] }, formOf('right'));
  expect(chain && textOf(chain)).toEqual([' a ─── b ─── c']);
  const fan = drawn({ a: [], b: ['a'], c: ['a'], d: ['a'] }, formOf('right'));
  expect(fan && textOf(fan)).toEqual(['    ╭─ b', '    │', ' a ─┼─ c', '    │', '    ╰─ d']);
});

test('a line over another one is no joint', () => {
  const crossed = drawn(
    { a: [], b: [], c: [], d: ['a', 'b'], e: ['a', 'c'], f: ['b', 'c'] },
    formOf('right'),
  );
  expect(crossed && textOf(crossed).join('\n')).toMatchInlineSnapshot(`
    "    ╭─┬─── d
     a ─│─┤
        │ ╰─┬─ e
     b ─┤   │
        ╰───┼─ f
     c ─────╯"
  `);
});

test('an edge that closes a cycle is dashed, without colour and in ASCII too', () => {
  const cycle = drawn({ a: [], b: ['a', 'd'], c: ['b'], d: ['c'] }, formOf('right'));
  expect(cycle && [...textOf(cycle), '', ...textOf(cycle, true)].join('\n')).toMatchInlineSnapshot(`
    " a ─── b ╌┬─ c ─┬╌ d
              ╎     ╎
              ╰╌╌╌╌╌╯

     a --- b ~+- c -+~ d
              :     :
              +~~~~~+"
  `);
  const mutual = drawn({ a: ['b'], b: ['a'] }, formOf('right'));
  expect(mutual && [...textOf(mutual), ...textOf(mutual, true)]).toEqual([' a ╌╌╌ b', ' a ~~~ b']);
});
