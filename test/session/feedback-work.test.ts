import { expect, test } from 'vitest';
import { parseFeedback } from '../../src/session/feedback.ts';
import { needsAgent, worksOnWords } from '../../src/session/feedback-work.ts';

const needs = (body: string): boolean => needsAgent(parseFeedback(body).value, ['build', 'test']);

test.each([
  ['names a task', '## Critical Issues\n- [ ] **ISS-001**: The task `build` is wrong\n', false],
  [
    'suggests a command',
    '## Critical Issues\n- **ISS-001**: Slow\n  - Suggested Fix: `$ npm dedupe`\n',
    false,
  ],
  ['is in words', '## Critical Issues\n- **ISS-001**: The page is ugly\n', true],
  ['has one issue in words', '## Critical Issues\n- **ISS-001**: build fails\n- **ISS-002**: Ugly\n', true],
  ['is a wish', '## New Requirements\n- Dark mode\n', true],
])('feedback that %s needs an agent with a model, or not', (_, body, expected) => {
  expect(needs(body)).toBe(expected);
});

test('an agent in the role of Planner or Executor works on words', () => {
  expect([
    worksOnWords({ roles: {} }),
    worksOnWords({ roles: { executor: 'script' } }),
    worksOnWords({ roles: { reviewer: 'claude' } }),
    worksOnWords({ roles: { Executor: 'claude' } }),
    worksOnWords({ roles: { planner: 'claude' } }),
  ]).toEqual([false, false, false, true, true]);
});
