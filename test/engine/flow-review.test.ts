import { expect, test } from 'vitest';
import { mayMissReview } from '../../src/pipeline/modes/flow/code-review.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { streamWords } from '../../src/words/stream-words.ts';
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
  const state = engine.state();
  return { session, end, calls, state, words: state === null ? [] : streamWords(state) };
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
      draft: undefined,
      said: 'No command checked this work: `loop.verify` was not set. Each change was reviewed before it was pushed.',
    },
    {
      draft: 'unchecked',
      said: 'No command checked this work: `loop.verify` was not set. No one has reviewed it yet.',
    },
  ]);
});

/** A Reviewer that answers each time something else than a verdict. */
const silent: FlowSessionOptions['answers'] = ({ kind }) =>
  kind === 'review' ? { status: 'completed', summary: ['ok'] } : undefined;
const verified = { ...defaultSettings.loop, verify: ['true'] };

test.for([
  [[], '; not reviewed: the Reviewer gave no verdict, and no command checked it; to take it: '],
  [['true'], '; not reviewed: the Reviewer gave no verdict; to take it: '],
] as const)(
  'work whose review ends without a verdict is not reviewed, and no attempt is spent: %j',
  async ([verify, said]) => {
    const issues = { 1: 'state: in-progress' };
    const loop = { ...defaultSettings.loop, verify: [...verify] };
    const { session, end, calls, words } = await played({
      issues,
      answers: silent,
      settings: { ...reviewed, loop },
    });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(calls).toEqual(['implement-1', 'review of implement-1', 'review of implement-1']);
    expect(session.all('question.asked')).toEqual([]);
    expect(session.all('task.failed')).toEqual([]);
    expect(session.all('review.missed')).toMatchObject([{ task: 'implement-1', attempt: 1 }]);
    expect((await session.issue('1')).comments.at(-1)?.body).toContain(
      '\nIt is not reviewed: the Reviewer gave no verdict.',
    );
    expect(words).toEqual([expect.stringContaining(said)]);
  },
);

test('a Reviewer that cannot be called after all retries leaves the work unreviewed', async () => {
  const { end, words } = await played({
    issues: { 1: 'state: in-progress' },
    answers: ({ kind }) => (kind === 'review' ? Promise.reject(new Error('it fell over')) : undefined),
    settings: { ...reviewed, retries: { max_attempts: 1, backoff: [0] } },
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(words).toEqual([expect.stringContaining('; not reviewed: the Reviewer gave no verdict')]);
});

test('with `review: both` a person judges what the Reviewer gave no verdict on', async () => {
  const { session } = await played({
    issues: { 1: 'state: in-progress' },
    answers: silent,
    settings: { ...reviewed, review: 'both' },
  });
  expect(session.all('question.asked')).toMatchObject([{ kind: 'review', task: 'implement-1' }]);
  expect(session.find('merge.started')).toBeUndefined();
});

test('a Reviewer that fails to record the verdict of a person leaves nothing unreviewed', async () => {
  const { state } = await played({
    issues: { 1: 'state: in-progress' },
    settings: { ...reviewed, review: 'person' },
  });
  const task = state?.tasks.get('implement-1');
  const question = state?.questions.get('review:implement-1:1');
  if (!state || !task || !question) throw new Error('nothing waits for a person');
  const answered = { ...question, answer: 'it greets nobody', option: 'reject', answeredBy: 'kim' };
  const after = { ...state, questions: new Map([[question.request, answered]]) };
  expect(mayMissReview(after, task)).toBe(false);
});

test('what no one reviewed is never merged automatically, whatever commands and checks passed', async () => {
  const opened: unknown[] = [];
  const merged: string[] = [];
  const pullRequests: NonNullable<FlowSessionOptions['pullRequests']> = {
    open: async ({ draft, body }) => {
      opened.push({ draft, said: body.split('\n\n').at(-2) });
      return { ok: true, value: { url: 'https://forge.test/1' } };
    },
    look: async () => ({ ok: true, value: { state: 'open', checks: 'passed', head: 'a', feedback: '' } }),
    merge: async (url) => {
      merged.push(url);
      return { ok: true, value: null };
    },
  };
  for (const place of [{ pullRequests }, {}]) {
    const { session } = await played({
      issues: { 1: 'state: in-progress' },
      answers: silent,
      settings: { ...reviewed, loop: verified },
      start: { auto_merge: true },
      ...place,
    });
    expect((await session.issue('1')).state).toBe('Human Needed');
    expect(session.find('pr.sent-back')?.feedback).toContain('the Reviewer gave no verdict');
    expect(session.all('result.recorded').map(({ task }) => task)).not.toContain('merge-1');
  }
  expect(merged).toEqual([]);
  expect(opened).toEqual([
    {
      draft: 'unchecked',
      said: 'These commands passed on this branch: `true`. It is not reviewed: the Reviewer gave no verdict.',
    },
  ]);
});
