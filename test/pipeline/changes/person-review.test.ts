import { expect, test } from 'vitest';
import type { PersonVerdict } from '../../../src/agents/port.ts';
import type { Settings } from '../../../src/session/settings.ts';
import { reviewerOutcome } from '../../helpers/outcomes.ts';
import { createPipelineRun, defineTask, type PipelineRun } from '../../helpers/pipeline-run.ts';

/** What the Reviewer was told of the person, in order; `undefined`: it judged by itself. */
const session = (review: Settings['review'], attended = true, attempts = 3) => {
  const verdicts: (PersonVerdict | undefined)[] = [];
  const run = createPipelineRun({
    tasks: [defineTask('a'), defineTask('b', { blockedBy: ['a'] })],
    attended,
    settings: (defaults) => ({
      ...defaults,
      review,
      retries: { ...defaults.retries, max_attempts: attempts },
    }),
    script: (brief) => {
      if (brief.mode !== 'TASK_REVIEW') return undefined;
      verdicts.push(brief.verdict);
      const { accepted = true, text = '', by = null } = brief.verdict ?? {};
      const outcome = {
        ...reviewerOutcome(accepted ? 'Qualified' : 'Failed', text),
        ...(by === null ? {} : { reviewed_by: by }),
      };
      return [{ type: 'invocation.ended', invocation: brief.invocation, outcome }];
    },
  }).start({ attended });
  return { run: run.work(), verdicts };
};

const answer = (run: PipelineRun, request: string, text: string): void => {
  run.tell({ type: 'question.answered', request, answer: text, by: 'kim', signal: 's1' });
  run.work();
};

const statusOf = (run: PipelineRun, id: string) => run.state().tasks.get(id)?.status;

test('review: person asks a person instead of the Reviewer, and goes on when the work is accepted', () => {
  const { run, verdicts } = session('person');
  expect(run.of('question.asked')).toMatchObject([
    {
      request: 'review:a:1',
      kind: 'review',
      task: 'a',
      attempt: 1,
      options: [{ id: 'accept' }, { id: 'reject' }],
    },
  ]);
  expect({ a: statusOf(run, 'a'), verdicts }).toEqual({ a: 'review', verdicts: [] });
  answer(run, 'review:a:1', 'Accept');
  expect(verdicts).toEqual([{ by: 'kim', accepted: true, text: '' }]);
  expect({ a: statusOf(run, 'a'), b: statusOf(run, 'b') }).toEqual({ a: 'done', b: 'review' });
});

test('a rejection with comments on lines is the feedback of the next attempt, word for word', () => {
  const { run } = session('person');
  const words = 'not yet\nsrc/a.ts:3: name the unit';
  answer(run, 'review:a:1', words);
  const next = run.of('invocation.started').findLast(({ mode }) => mode === 'IMPLEMENT');
  expect(next).toMatchObject({ task: 'a', attempt: 2, messages: [{ kind: 'RETRY', text: words }] });
  expect(run.of('task.failed')).toMatchObject([{ reason: `review by kim: ${words}`, counts: true }]);
  expect(run.of('question.asked').map(({ request }) => request)).toEqual(['review:a:1', 'review:a:2']);
});

test('the rejection of the last attempt promises no further one, also after a retry', () => {
  const { run } = session('person', true, 2);
  answer(run, 'review:a:1', 'reject');
  answer(run, 'review:a:2', 'reject');
  expect(statusOf(run, 'a')).toBe('failed');
  run.tell({ type: 'task.reset', task: 'a', reason: 'RETRY by kim' });
  run.work();
  const labels = run.of('question.asked').map(({ options }) => options[1]?.label);
  expect(labels).toEqual([
    'another attempt, with your message',
    'no attempts left: the task fails with your message',
    'another attempt, with your message',
  ]);
});

test('review: both asks a person only about work that the Reviewer qualified', () => {
  const { run, verdicts } = session('both');
  expect(run.of('review.passed')).toMatchObject([{ task: 'a', attempt: 1 }]);
  expect(verdicts).toEqual([undefined]);
  answer(run, 'review:a:1', 'accept');
  expect(verdicts.slice(0, 2)).toEqual([undefined, { by: 'kim', accepted: true, text: '' }]);
  expect(statusOf(run, 'a')).toBe('done');
});

test('with nobody there the session stops and names what waits; the answer goes on from there', () => {
  const { run } = session('person', false);
  expect(run.end()).toMatchObject({ exit_code: 3, reason: expect.stringContaining('gate: Accept a') });
  run.commit({ type: 'question.answered', request: 'review:a:1', answer: 'accept', by: 'kim', signal: 's1' });
  run.start({ attended: false }).work();
  expect(statusOf(run, 'a')).toBe('done');
});

test('a task that is opened again waits for no verdict on its old attempt', () => {
  const { run } = session('person');
  run.tell({ type: 'task.reset', task: 'a', reason: 'RETRY by kim' });
  expect([...run.state().questions.keys()]).toEqual([]);
});

test('a bare rejection says that no reason was given, and names the person once', () => {
  const { run } = session('person');
  answer(run, 'review:a:1', 'reject');
  expect(run.of('task.failed')).toMatchObject([{ reason: 'review by kim: rejected without a reason' }]);
});
