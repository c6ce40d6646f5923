import { expect, test } from 'vitest';
import { refused } from '../../src/issues/trackers/tracker.ts';
import { keepsIssuesIn } from '../../src/issues/trackers/tracker-name.ts';

test.each([
  ['native', '.ralph/issues/42.md', true],
  ['beads', '.beads/issues.jsonl', true],
  ['beads', 'beads.md', false],
  ['native', '.beads/issues.jsonl', false],
  ['prd:plans/prd.json', 'plans/prd.json', true],
  ['prd:plans/prd.json', 'prd.json', false],
  ['unheard-of', 'prd.json', false],
])('whether the tracker %s keeps its issues in %s: %s', (tracker, path, keeps) => {
  expect(keepsIssuesIn(tracker, path)).toBe(keeps);
});

test('a refusal has its hint, where there is one', () => {
  expect(refused('c', 'what', 'do this').faults).toEqual([{ code: 'c', what: 'what', hint: 'do this' }]);
  expect(refused('c', 'what').faults).toEqual([{ code: 'c', what: 'what' }]);
});
