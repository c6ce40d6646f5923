import { expect, test } from 'vitest';
import type { Holder, IssueLock } from '../../src/issues/issue.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { anyLocked } from '../../src/pipeline/modes/flow/flow-tasks.ts';
import { flowStory } from '../helpers/flow-story.ts';

const since = '2026-02-15T03:00:00.000Z';
const lockOf = (session: string): IssueLock => {
  const holder: Holder = { machine: 'laptop', workspace: '/work/greetings', session };
  return { holder, since };
};
const [ours, others] = [lockOf('260215-101500'), lockOf('260101-000000')];

/** The locks of the last reading after those of task `research-42` were given back. */
const locksAfter = (read: Readonly<Record<string, IssueLock>>) => {
  const story = flowStory().begin();
  const { flow } = evolveAll(null, story.events);
  const issues = (flow?.reading?.issues ?? []).map((issue) => {
    const lock = read[issue.id];
    return { ...issue, ...(lock === undefined ? {} : { lock }) };
  });
  story.add({ type: 'issues.read', issues, planned: [], files: {}, returned: [] });
  story.add({ type: 'issues.given-back', task: 'research-42', moved: [] });
  const after = evolveAll(null, story.events).flow?.reading?.issues ?? [];
  return Object.fromEntries(after.flatMap(({ id, lock }) => (lock === undefined ? [] : [[id, lock]])));
};

test('one of several issues that is in a locked state is locked', () => {
  const story = flowStory().begin();
  story.add({
    type: 'issues.locked',
    task: 'research-42',
    moved: [{ issue: '42', from: 'Research Needed', to: 'Research in Progress' }],
  });
  const { flow } = evolveAll(null, story.events);
  expect(flow && anyLocked(flow, ['42', '43'])).toBe(true);
  expect(flow && anyLocked(flow, ['43'])).toBe(false);
});

test('locks that are given back end for the issues of their task alone, and those of others stay', () => {
  expect(locksAfter({ 42: ours, 43: ours })).toEqual({ 43: ours });
  expect(locksAfter({ 42: others })).toEqual({ 42: others });
  expect(locksAfter({ 42: { holder: null, since } })).toEqual({ 42: { holder: null, since } });
});
