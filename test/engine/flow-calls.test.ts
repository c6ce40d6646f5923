import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

const played = async (options: FlowSessionOptions) => {
  const session = createFlowSession(options);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await session.settle(engine);
  return { session, end, calls: session.asked.map(({ task }) => task) };
};

test('an issue of the backlog takes three calls with few phases: a plan with its research, its review, and the work', async () => {
  const { session, end, calls } = await played({
    issues: { 1: 'state: backlog\nestimate: M' },
    start: { phases: 'few' },
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual(['plan-1', 'review-1', 'implement-1']);
  expect(session.asked[0]?.prompt).toContain('Research: none was written. Find out first');
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.find('result.recorded', ({ task }) => task === 'pr-1')).toBeDefined();
  expect(session.find('state.entered', ({ state }) => state === 'SESSION_REVIEW')).toBeUndefined();
});

test('a group is planned once, and its issues are implemented one by one', async () => {
  const { session, end, calls } = await played({
    issues: {
      9: 'state: backlog',
      1: 'state: backlog\nparent: "9"',
      2: 'state: backlog\nparent: "9"',
      3: 'state: ready-for-plan\nparent: "9"',
    },
    start: { issue: '9', phases: 'few' },
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual(['plan-1_group', 'review-1_group', 'implement-1', 'implement-2', 'implement-3']);
  for (const { prompt } of session.asked) {
    expect(prompt.match(/from issue 9 of the tracker, the parent of these>*\nIssue 9/g)).toHaveLength(1);
    expect(prompt).toContain('The body of 9.');
  }
  // The text of the issue says the state at this moment; the directive was written before anything began.
  const implement = session.asked[2]?.prompt ?? '';
  expect(implement).toContain('Issue 1\nState: In Progress');
  expect(implement).not.toContain('Backlog');
});

/** With a Reviewer and the default gate, until a person is asked about the plan. */
const untilAsked = async (options: FlowSessionOptions) => {
  const session = createFlowSession({
    ...options,
    start: { phases: 'few', review: 'human', ...options.start },
    settings: { roles: { executor: 'sample', reviewer: 'sample' }, ...options.settings },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const calls = () => session.asked.map(({ task, kind }) => `${task} ${kind}`);
  return { session, question: session.find('question.asked'), calls };
};

/** The person approves in the next life of the program. */
const approve = async ({ session, question }: Awaited<ReturnType<typeof untilAsked>>): Promise<void> => {
  session.publish({ type: 'ANSWER', request: question?.request ?? '', option: 'approve' });
  const engine = session.resume();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
};

test('with the defaults an issue takes three calls: a person reviews its plan without a critique', async () => {
  const begun = await untilAsked({ issues: { 1: 'state: backlog' } });
  const { session, question, calls } = begun;
  await approve(begun);
  expect(calls()).toEqual(['plan-1 flow-plan', 'implement-1 implement', 'implement-1 review']);
  expect(question).toMatchObject({ request: 'plan:review-1', document: expect.stringMatching(/\.md$/) });
  expect(question).not.toHaveProperty('critique');
  const { state, comments } = await session.issue('1');
  expect(state).toBe('In Review');
  expect(comments.map(({ body }) => body.split('\n')[0])).toEqual([
    '## Implementation Plan',
    '## Implementation Complete',
  ]);
});

test('a group of n takes 2n + 1 calls', async () => {
  const begun = await untilAsked({
    issues: { 9: 'state: backlog', 1: 'state: backlog\nparent: "9"', 2: 'state: backlog\nparent: "9"' },
    start: { issue: '9' },
  });
  await approve(begun);
  expect(begun.calls()).toHaveLength(5);
});

test.each([
  ['all phases', { start: { phases: 'all' } }],
  [
    'an agent named for the review',
    { settings: { flow: { ...defaultSettings.flow, agents: { review: 'sample' } } } },
  ],
] as const)('with %s the validator writes its critique before a person is asked', async (_, options) => {
  const { question, calls } = await untilAsked({ issues: { 1: 'state: ready-for-plan' }, ...options });
  expect(calls()).toContain('review-1 flow-review');
  expect(question).toHaveProperty('critique');
});

test('research that somebody asked for is done, and so is every phase of a large issue and of a session with all phases', async () => {
  const asked = await played({ issues: { 1: 'state: research-needed' }, start: { phases: 'few' } });
  expect(asked.calls).toEqual(['research-1', 'plan-1', 'review-1', 'implement-1']);
  const large = await played({ issues: { 1: 'state: backlog\nestimate: L' }, start: { phases: 'few' } });
  expect(large.calls[0]).toBe('split-1');
  const all = await played({ issues: { 1: 'state: backlog' }, start: { phases: 'all' } });
  expect(all.calls).toEqual(['triage-1', 'research-1', 'plan-1', 'review-1', 'implement-1', 'pr-1']);
  expect(all.session.find('session.reviewed')).toBeDefined();
});

test('a plan whose try failed gives its issue to a person, who reads how it is planned again', async () => {
  const { session, end } = await played({
    issues: { 1: 'state: backlog' },
    start: { phases: 'few' },
    answers: ({ kind }) =>
      kind === 'flow-plan' ? { status: 'failed', blockers: ['no idea'], summary: ['x'] } : undefined,
  });
  expect(end).toMatchObject({ exitCode: 1 });
  const issue = await session.issue('1');
  expect([issue.state, issue.lock]).toEqual(['Human Needed', undefined]);
  expect(issue.comments.at(-1)?.body).toMatch(/no idea[\s\S]*`ralph-tui issues move 1 ready-for-plan`/);
});

test('the next attempt gets the reason of the one before it, and only that one', async () => {
  let tries = 0;
  const { session } = await played({
    issues: { 1: 'state: in-progress' },
    answers: ({ kind }) => {
      if (kind !== 'implement') return undefined;
      tries += 1;
      return tries < 3
        ? { status: 'failed', blockers: [`port ${8080 + tries} is taken`], summary: ['x'] }
        : undefined;
    },
  });
  const prompts = session.asked.filter(({ task }) => task === 'implement-1').map(({ prompt }) => prompt);
  expect(prompts.map((prompt) => prompt.match(/port \d+ is taken/g) ?? [])).toEqual([
    [],
    ['port 8081 is taken'],
    ['port 8082 is taken'],
  ]);
});
