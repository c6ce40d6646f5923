import { expect, test } from 'vitest';
import { documentOf, flowResult } from '../../src/issues/task-list/flow-result.ts';
import type { FlowTask } from '../../src/issues/task-list/flow-task.ts';

test('a result is read by its phase, and keeps every key for other agents', () => {
  const keys = {
    artifact_path: 'plans/p.md',
    phase_count: 2,
    criteria: ['`npm test`', 7],
    pr_url: 'x',
    phase: 'pr',
  };
  expect(flowResult({ phase: 'plan' }, keys, true)).toEqual({
    phase: 'plan',
    recorded: true,
    artifact_path: 'plans/p.md',
    phase_count: 2,
    criteria: ['`npm test`'],
    keys,
  });
  expect(flowResult({ phase: 'implement' }, keys, false)).toEqual({
    phase: 'implement',
    recorded: false,
    keys,
  });
});

test('a key of another type is absent, and the rest of the result stays', () => {
  const read = (phase: FlowTask['phase'], keys: Readonly<Record<string, unknown>>) => {
    const { keys: _keys, ...parsed } = flowResult({ phase }, keys, false);
    return parsed;
  };
  expect(read('review', { result: ['APPROVED'], plan_path: '', summary: 'no test' })).toEqual({
    phase: 'review',
    recorded: false,
    summary: 'no test',
  });
  expect(read('triage', { action: 'sleep', reason: 'late' })).toEqual({
    phase: 'triage',
    recorded: false,
    reason: 'late',
  });
});

test('the parts of a split are read before and after they are made', () => {
  const parts = [{ title: 'one', body: '', estimate: 'S' }];
  const read = (made: unknown) => {
    const result = flowResult({ phase: 'split' }, { sub_tickets: made }, false);
    return result.phase === 'split' ? result.sub_tickets : null;
  };
  expect(read([{ title: 'one', estimate: 'S' }])).toEqual(parts);
  expect(read(['41', '42'])).toEqual(['41', '42']);
  expect(read([{ body: 'no title' }])).toBeUndefined();
});

test('only phases that write one have a document', () => {
  const keys = { artifact_path: 'a.md' };
  expect(documentOf(flowResult({ phase: 'research' }, keys, true))).toBe('a.md');
  expect(documentOf(flowResult({ phase: 'pr' }, keys, true))).toBeUndefined();
  expect(documentOf(null)).toBeUndefined();
});
