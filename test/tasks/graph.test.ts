import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildGraph, type GraphTask, standing, type TaskStanding } from '../../src/tasks/graph.ts';

const task = (
  id: string,
  blockedBy: readonly string[] = [],
  replaced_by: readonly string[] = [],
): GraphTask => ({
  id,
  blockedBy,
  replaced_by,
});

const states = (entries: Record<string, TaskStanding['status'] | TaskStanding>): Map<string, TaskStanding> =>
  new Map(
    Object.entries(entries).map(([id, entry]) => [
      id,
      typeof entry === 'string' ? { status: entry, failures: 0 } : entry,
    ]),
  );

/** Any graph of up to 12 tasks: forward, backward and self edges, and a few ghosts. */
const anyGraph = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc.array(fc.array(fc.integer({ min: 0, max: count }), { maxLength: 4 }), {
      minLength: count,
      maxLength: count,
    }),
  )
  .map((edges) =>
    edges.map((blockers, index) =>
      task(
        `t${index}`,
        blockers.map((blocker) => `t${blocker}`),
      ),
    ),
  );

const reaches = (graph: ReturnType<typeof buildGraph>, from: string, to: string): boolean => {
  const seen = new Set<string>();
  const queue = [...(graph.blockersOf.get(from) ?? [])];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === to) return true;
    if (!seen.has(id)) {
      seen.add(id);
      queue.push(...(graph.blockersOf.get(id) ?? []));
    }
  }
  return false;
};

describe('the graph', () => {
  it('puts every task into the first wave after all of its blockers', () => {
    const graph = buildGraph([
      task('d', ['b', 'c']),
      task('a'),
      task('b', ['a']),
      task('c', ['a']),
      task('e'),
    ]);
    expect(graph.waves).toEqual([['a', 'e'], ['b', 'c'], ['d']]);
    expect(graph.waveOf.get('d')).toBe(2);
    expect(graph.dependantsOf.get('a')).toEqual(['b', 'c']);
  });

  it('reads an edge to a split task as an edge to all of its replacements', () => {
    const graph = buildGraph([
      task('big', [], ['one', 'two']),
      task('one', ['big']),
      task('two', ['one'], ['two-a', 'two-b']),
      task('two-a', ['one']),
      task('two-b', ['two-a']),
      task('end', ['big']),
    ]);
    expect(graph.blockersOf.get('end')).toEqual(['one', 'two-a', 'two-b']);
    expect(graph.blockersOf.get('one')).toEqual([]);
    expect(graph.cycles).toEqual([]);
    const where = standing(
      graph,
      states({ big: 'cancelled', two: 'cancelled', one: 'done', 'two-a': 'done' }),
      3,
    );
    expect(where.ready).toEqual(['two-b']);
    expect(where.waitingFor.get('end')).toEqual(['two-b']);
    expect(where.unreachable.size).toBe(0);
  });

  it('names the members of every cycle and every unknown blocker, and keeps the rest in order', () => {
    const graph = buildGraph([
      task('a', ['c']),
      task('b', ['a']),
      task('c', ['b']),
      task('me', ['me']),
      task('x', ['ghost']),
    ]);
    expect(graph.cycles).toEqual([['a', 'b', 'c'], ['me']]);
    expect(graph.unknown).toEqual([{ task: 'x', blocker: 'ghost' }]);
  });

  it('takes the last definition when an id is defined twice', () => {
    expect(buildGraph([task('b', ['a']), task('a', ['b']), task('b')]).waves).toEqual([['b'], ['a']]);
  });

  it('never puts a task before its blockers, whatever the graph', () => {
    fc.assert(
      fc.property(anyGraph, (tasks) => {
        const graph = buildGraph(tasks);
        const inOneCycle = (a: string, b: string) =>
          graph.cycles.some((it) => it.includes(a) && it.includes(b));
        expect(graph.waves.flat().sort()).toEqual(tasks.map((it) => it.id).sort());
        for (const [id, blockers] of graph.blockersOf) {
          for (const blocker of blockers) {
            if (inOneCycle(id, blocker)) continue;
            expect(graph.waveOf.get(id)).toBeGreaterThan(graph.waveOf.get(blocker) ?? 99);
          }
        }
      }),
    );
  });

  it('calls exactly those tasks a cycle that reach each other', () => {
    fc.assert(
      fc.property(anyGraph, (tasks) => {
        const graph = buildGraph(tasks);
        for (const { id: a } of tasks) {
          expect(graph.cycles.some((it) => it.includes(a))).toBe(reaches(graph, a, a));
          for (const { id: b } of tasks) {
            const together = graph.cycles.some((it) => it.includes(a) && it.includes(b));
            expect(together).toBe(reaches(graph, a, b) && reaches(graph, b, a));
          }
        }
      }),
    );
  });
});

describe('standing', () => {
  const line = buildGraph([task('a'), task('b', ['a']), task('c', ['b']), task('free')]);

  it('lets a task start only when every blocker is done', () => {
    const where = standing(line, states({ a: 'running' }), 3);
    expect(where.ready).toEqual(['free']);
    expect(where.waitingFor.get('b')).toEqual(['a']);
    expect(standing(line, states({ a: 'review' }), 3).ready).toEqual(['free']);
    expect(standing(line, states({ a: 'done' }), 3).ready).toEqual(['free', 'b']);
  });

  it('keeps a failed task open while attempts are left, and settles it after the last one', () => {
    const again = standing(line, states({ a: { status: 'failed', failures: 2 } }), 3);
    expect(again.ready).toEqual(['a', 'free']);
    expect(again.settled.size).toBe(0);
    const over = standing(line, states({ a: { status: 'failed', failures: 3 } }), 3);
    expect(over.ready).toEqual(['free']);
    expect([...over.settled]).toEqual(['a', 'b', 'c']);
    expect(over.unreachable.get('b')).toEqual({ blocker: 'a', why: 'failed' });
    expect(over.unreachable.get('c')).toEqual({ blocker: 'a', why: 'failed' });
  });

  it('stops a task for good after ten crashes in a row', () => {
    expect(standing(line, states({ a: { status: 'failed', failures: 0, crashes: 9 } }), 3).ready).toContain(
      'a',
    );
    expect(
      standing(line, states({ a: { status: 'failed', failures: 0, crashes: 10 } }), 3).settled,
    ).toContain('a');
  });

  it('makes dependants of a cancelled task unreachable and arms them again when it is re-opened', () => {
    expect(standing(line, states({ a: 'cancelled' }), 3).unreachable.get('c')).toEqual({
      blocker: 'a',
      why: 'cancelled',
    });
    expect(standing(line, states({ a: 'open' }), 3).unreachable.size).toBe(0);
  });

  it('runs what it can around a cycle and a ghost, and says why the others never start', () => {
    const graph = buildGraph([
      task('a', ['b']),
      task('b', ['a']),
      task('c', ['b']),
      task('x', ['ghost']),
      task('ok'),
    ]);
    const where = standing(graph, new Map(), 3);
    expect(where.ready).toEqual(['ok']);
    expect(where.unreachable.get('a')).toEqual({ blocker: null, why: 'in a cycle: a → b → a' });
    expect(where.unreachable.get('c')).toEqual({ blocker: 'b', why: 'in a cycle: a → b → a' });
    expect(where.unreachable.get('x')).toEqual({ blocker: 'ghost', why: 'which does not exist' });
  });

  it('opens a cycle when a person marks one of its members as done', () => {
    const graph = buildGraph([task('a', ['b']), task('b', ['a']), task('c', ['b'])]);
    const where = standing(graph, states({ a: 'done' }), 3);
    expect(where.ready).toEqual(['b']);
    expect(where.waitingFor.get('c')).toEqual(['b']);
  });

  it('gives every open task exactly one place: ready, waiting or unreachable', () => {
    const status = fc.constantFrom<TaskStanding['status']>(
      'open',
      'running',
      'review',
      'done',
      'failed',
      'cancelled',
    );
    fc.assert(
      fc.property(anyGraph, fc.array(status, { minLength: 12, maxLength: 12 }), (tasks, marks) => {
        const graph = buildGraph(tasks);
        const given = states(Object.fromEntries(tasks.map((it, index) => [it.id, marks[index] ?? 'open'])));
        const where = standing(graph, given, 1);
        for (const [id, { status: mark }] of given) {
          const places = [where.ready.includes(id), where.waitingFor.has(id), where.unreachable.has(id)];
          const open = mark === 'open' || mark === 'failed';
          expect(places.filter(Boolean).length).toBe(open ? 1 : 0);
        }
        // Whatever waits, waits for something that can still move: so a session cannot stand still without a reason.
        for (const [, blockers] of where.waitingFor) {
          for (const blocker of blockers) {
            expect(where.settled.has(blocker)).toBe(false);
          }
        }
      }),
    );
  });
});
