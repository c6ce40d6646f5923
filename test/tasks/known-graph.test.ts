import { expect, test } from 'vitest';
import { buildGraph } from '../../src/tasks/graph.ts';
import { knownGraph } from '../../src/tasks/known-graph.ts';
import { defineTask } from '../helpers/pipeline-run.ts';

const task = (id: string, blockedBy: readonly string[] = []) => defineTask(id, { blockedBy });

test('the graph is worked out once while the definitions stay the same, and anew when one changes, comes, goes or moves', () => {
  const [a, b, c] = [task('a'), task('b', ['a']), task('c', ['b'])];
  const first = knownGraph([a, b, c]);
  expect(knownGraph([a, b, c])).toBe(first);
  const free = task('b');
  for (const definitions of [[a, free, c], [b, c], [b, a, c], [a, b], [task('z'), a, b, c], []])
    expect(knownGraph(definitions)).toEqual(buildGraph(definitions));
  expect(knownGraph([a, b, c])).toEqual(first);
});
