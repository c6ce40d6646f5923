import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { issuesNeedingPerson } from '../../src/pipeline/modes/flow/needs-person.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const failing = { status: 'failed', blockers: ['port 8080 is taken'], summary: ['it did not work'] };

test('work that failed for good is said on its issue once, with what continues it, and a RETRY goes on to the pull request', async () => {
  let works = false;
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { review: 'skip' },
    answers: ({ kind }) => (kind === 'implement' && !works ? failing : undefined),
  });
  const first = session.begin();
  expect(await session.settle(await started(first))).toMatchObject({ exitCode: 1 });
  const issue = await session.issue('1');
  expect(issue).toMatchObject({ state: 'Human Needed' });
  expect(issue.lock).toBeUndefined();
  const told = issue.comments.filter(({ body }) => body.startsWith('Human Needed'));
  expect(told.map(({ body }) => body)).toEqual([
    expect.stringMatching(
      /^Human Needed: "Implement GH-1" failed after 3 attempts\.[\s\S]*port 8080 is taken[\s\S]*`ralph-tui retry implement-1 --session 260215-101500`[\s\S]*`ralph-tui issues move 1 in-progress`[\s\S]*`ralph-tui run --issue 1`/,
    ),
  ]);
  expect(session.all('issues.given-back').at(-1)?.moved).toEqual([
    { issue: '1', from: 'In Progress', to: 'Human Needed' },
  ]);
  expect(issuesNeedingPerson(first.state())).toMatchObject([
    { issue: '1', reason: expect.stringContaining('port 8080') },
  ]);

  works = true;
  session.publish({ type: 'RETRY', task: 'implement-1' });
  const second = session.resume();
  expect(await session.settle(await started(second))).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.all('result.recorded').map(({ task }) => task)).toEqual(['plan-1', 'pr-1']);
});

test('a plan that failed for good needs a person for each of its issues, but not for one that somebody took over', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan', 2: 'state: ready-for-plan\nblockedBy: ["1"]' },
    start: { review: 'skip' },
    answers: async ({ kind }) => {
      if (kind !== 'flow-plan') return undefined;
      await session.person.update('2', { state: 'Canceled', lock: null }, null);
      return failing;
    },
  });
  await session.settle(await started(session.begin()));
  expect((await session.issue('1')).state).toBe('Human Needed');
  const other = await session.issue('2');
  expect([other.state, other.comments]).toEqual(['Canceled', []]);
});
