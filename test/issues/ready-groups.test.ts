import { expect, test } from 'vitest';
import { indexIssues } from '../../src/issues/issue-index.ts';
import { readyGroups } from '../../src/issues/ready-groups.ts';
import { issue } from '../helpers/issues.ts';

test('each group is offered once, by its first ready issue; one that waits for a person is not', () => {
  const index = indexIssues([
    issue('1', { state: 'Ready for Plan' }),
    issue('2', { blockedBy: ['1'] }),
    issue('3', { blockedBy: ['2'] }),
    issue('4', { state: 'Human Needed' }),
    issue('5', { state: 'Plan in Review' }),
    issue('6', { priority: 0 }),
    issue('7', { state: 'Done' }),
    issue('8', { held: 'deferred' }),
  ]);
  expect(readyGroups(index).map(({ issue: { id }, more }) => [id, more])).toEqual([
    ['6', 0],
    ['1', 2],
  ]);
});
