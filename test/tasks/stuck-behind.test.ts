import { expect, test } from 'vitest';
import { buildGraph, standing } from '../../src/tasks/graph.ts';
import { stuckBehind, stuckWords } from '../../src/tasks/stuck-behind.ts';
import type { TaskStatus } from '../../src/tasks/task.ts';

const edges = (blockedBy: Readonly<Record<string, readonly string[]>>) =>
  buildGraph(
    Object.entries(blockedBy).map(([id, blockers]) => ({ id, blockedBy: [...blockers], replaced_by: [] })),
  );
const facts = (statuses: Readonly<Record<string, TaskStatus>>) =>
  new Map(Object.entries(statuses).map(([id, status]) => [id, { status, failures: 3 }]));
const behind = (
  blockedBy: Readonly<Record<string, readonly string[]>>,
  statuses: Readonly<Record<string, TaskStatus>>,
  id: string,
): string => {
  const graph = edges(blockedBy);
  const tasks = facts(statuses);
  const ids = stuckBehind(graph, standing(graph, tasks, 3), tasks, [id]);
  return stuckWords(tasks, ids);
};

test('a task is stuck behind what failed or was cancelled before it, at any distance, and behind nothing that is done', () => {
  const chain = { fine: [], broken: [], middle: ['broken', 'fine'], after: ['middle'] };
  expect(behind(chain, { fine: 'done', broken: 'failed', middle: 'open', after: 'open' }, 'after')).toBe(
    'broken failed',
  );
  const two = { left: [], right: ['left'], after: ['right', 'left'] };
  expect(behind(two, { left: 'cancelled', right: 'failed', after: 'open' }, 'after')).toBe(
    'right failed and left was cancelled',
  );
});

test('what is tried again by itself is nothing to open, and no retry helps in a cycle', () => {
  const graph = edges({ again: [], broken: [], after: ['again', 'broken'] });
  const tasks = new Map([
    ['again', { status: 'failed', failures: 1 }],
    ['broken', { status: 'failed', failures: 3 }],
  ] as const);
  expect(stuckBehind(graph, standing(graph, tasks, 3), tasks, ['after'])).toEqual(['broken']);
  expect(behind({ one: ['two'], two: ['one'] }, { one: 'open', two: 'open' }, 'one')).toBe('');
});
