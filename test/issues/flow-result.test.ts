import { expect, test } from 'vitest';
import { documentOf, flowResult, resultKeys } from '../../src/issues/task-list/flow-result.ts';

test('a result has the keys of its phase and no others', () => {
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
  });
  expect(flowResult({ phase: 'implement' }, keys, false)).toEqual({ phase: 'implement', recorded: false });
});

test('a key of another type is absent, and the rest of the result stays', () => {
  const result = flowResult(
    { phase: 'review' },
    { result: ['APPROVED'], plan_path: '', summary: 'no test' },
    false,
  );
  expect(resultKeys(result)).toEqual({ summary: 'no test' });
  const triage = flowResult({ phase: 'triage' }, { action: 'sleep', reason: 'late' }, true);
  expect(resultKeys(triage)).toEqual({ reason: 'late' });
});

test('the parts of a split are read before and after they are made', () => {
  const parts = [{ title: 'one', body: '', estimate: 'S' }];
  const read = (made: unknown) => resultKeys(flowResult({ phase: 'split' }, { sub_tickets: made }, false));
  expect(read([{ title: 'one', estimate: 'S' }])).toEqual({ sub_tickets: parts });
  expect(read(['41', '42'])).toEqual({ sub_tickets: ['41', '42'] });
  expect(read([{ body: 'no title' }])).toEqual({});
});

test('only phases that write one have a document', () => {
  const keys = { artifact_path: 'a.md' };
  expect(documentOf(flowResult({ phase: 'research' }, keys, true))).toBe('a.md');
  expect(documentOf(flowResult({ phase: 'pr' }, keys, true))).toBeUndefined();
  expect(documentOf(null)).toBeUndefined();
});
