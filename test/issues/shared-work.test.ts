import { expect, test } from 'vitest';
import { indexIssues } from '../../src/issues/issue-index.ts';
import { sharedWork } from '../../src/issues/shared-work.ts';
import { issue } from '../helpers/issues.ts';

const index = indexIssues([
  issue('1'),
  issue('2', { parent: '1' }),
  issue('3', { parent: '1', blockedBy: ['2'] }),
  issue('9'),
]);

test('before it has a list, a flow has the whole group of its issue, or that issue alone', () => {
  expect(sharedWork(index, ['3', '9'], { issue: '2', only: false, listed: [] })).toEqual(['3']);
  expect(sharedWork(index, ['3', '9'], { issue: '2', only: true, listed: [] })).toEqual([]);
  expect(sharedWork(index, ['2'], { issue: '2', only: true, listed: [] })).toEqual(['2']);
});

test('with its list it has the issues of that, also those that the tracker connects with nothing any more', () => {
  expect(sharedWork(index, ['3', '9'], { issue: '2', only: false, listed: ['2', '9'] })).toEqual(['9']);
  expect(sharedWork(indexIssues([]), ['3'], { issue: '2', only: false, listed: ['3'] })).toEqual(['3']);
});
