import { expect, test } from 'vitest';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

const reviewed = { roles: { executor: 'sample', reviewer: 'sample' } };

const played = async (options: FlowSessionOptions) => {
  const session = createFlowSession({
    settings: reviewed,
    ...options,
    start: { phases: 'few', ...options.start },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await session.settle(engine);
  const calls = session.asked.map(({ task, kind }) => (kind === 'review' ? `review of ${task}` : task));
  return { session, end, calls };
};

const plan = '# The plan\n\n## Phase 1: Greet\n\n- [ ] It greets: `npm test`\n- [ ] Manual: it looks nice\n';

/** Writes that plan, and notes the criteria of each review. */
const planned = (judged: (readonly string[])[]): NonNullable<FlowSessionOptions['answers']> => {
  return ({ kind }, brief) => {
    if (kind === 'review') judged.push(brief.task?.criteria ?? []);
    return kind === 'flow-plan'
      ? { status: 'completed', result: { phase_count: 1 }, document: plan }
      : undefined;
  };
};

test('an implementation is reviewed by the criteria of its plan before it is on the branch and in a pull request', async () => {
  const judged: (readonly string[])[] = [];
  const { session, end, calls } = await played({
    issues: { 1: 'state: backlog' },
    answers: planned(judged),
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual(['plan-1', 'review-1', 'implement-1', 'review of implement-1']);
  expect(judged).toEqual([['It greets: `npm test`']]);
  const order = session.events.flatMap((event) =>
    event.type === 'review.passed' || event.type === 'merge.started' || event.type === 'result.recorded'
      ? [`${event.type} ${event.task}`]
      : [],
  );
  expect(order.slice(-3)).toEqual([
    'review.passed implement-1',
    'merge.started implement-1',
    'result.recorded pr-1',
  ]);
});

test('work that the review refuses is in no pull request: the next attempt gets the reason', async () => {
  let reviews = 0;
  const { session, end, calls } = await played({
    issues: { 1: 'state: in-progress' },
    answers: ({ kind }) => {
      if (kind !== 'review') return undefined;
      reviews += 1;
      return reviews === 1 ? { verdict: 'Failed', feedback: 'it greets nobody' } : undefined;
    },
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual(['implement-1', 'review of implement-1', 'implement-1', 'review of implement-1']);
  expect(session.asked[2]?.prompt).toContain('it greets nobody');
  expect(session.all('merge.started')).toHaveLength(1);
});

test('the criteria of a plan for several issues are for the last of them', async () => {
  const judged: (readonly string[])[] = [];
  await played({
    issues: { 9: 'state: backlog', 1: 'state: backlog\nparent: "9"', 2: 'state: backlog\nparent: "9"' },
    start: { issue: '9' },
    answers: planned(judged),
  });
  expect(judged).toEqual([[], ['It greets: `npm test`']]);
});

test('the agent of the work reviews it where no Reviewer is named, and a person where the setting says so', async () => {
  const alone = await played({
    issues: { 1: 'state: in-progress' },
    settings: { roles: { executor: 'sample' } },
  });
  expect(alone.calls).toEqual(['implement-1', 'review of implement-1']);
  const person = await played({
    issues: { 1: 'state: in-progress' },
    settings: { ...reviewed, review: 'person' },
  });
  expect(person.calls).toEqual(['implement-1']);
  expect(person.session.find('question.asked')).toMatchObject({ kind: 'review', task: 'implement-1' });
  expect(person.session.find('merge.started')).toBeUndefined();
});

test('a pull request says what looked at its work, and is a draft when nothing did', async () => {
  const opened: unknown[] = [];
  const pullRequests: NonNullable<FlowSessionOptions['pullRequests']> = {
    open: async ({ body, draft }) => {
      opened.push({ draft, said: body.split('\n\n').at(-2) });
      return { ok: true, value: { url: 'https://forge.test/1' } };
    },
    look: async () => ({ ok: false, faults: [] }),
    merge: async () => ({ ok: false, faults: [] }),
  };
  const issues = { 1: 'state: in-progress' };
  await played({ issues, pullRequests });
  await played({ issues, pullRequests, settings: { roles: { executor: 'sample', reviewer: 'script' } } });
  expect(opened).toEqual([
    {
      draft: false,
      said: 'No command checked this work: `loop.verify` was not set. Each change was reviewed before it was pushed.',
    },
    {
      draft: true,
      said: 'No command checked this work: `loop.verify` was not set. No one has reviewed it yet.',
    },
  ]);
});
