import { expect, test } from 'vitest';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedCall,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../helpers/pipeline-run.ts';

/** The Executor's first `count` turns end without a result. */
const silent = (count: number, attended: boolean): PipelineRun => {
  let left = count;
  return createPipelineRun({
    tasks: [defineTask('one')],
    attended,
    settings: (old) => ({ ...old, agents: { script: {}, codex: {} } }),
    script: (brief) =>
      brief.mode === 'IMPLEMENT' && left-- > 0 ? [failedCall(brief, 'no-result')] : undefined,
  })
    .start()
    .work();
};

const answer = (text: string) =>
  ({
    type: 'question.answered',
    request: 'no-result:IMPLEMENT:one',
    answer: text,
    by: 'kim',
    signal: null,
  }) as const;

test('one turn without result is simply started again and counts nothing', () => {
  const run = silent(1, true).finish();
  expect(run.of('question.asked')).toHaveLength(0);
  expect(run.state().tasks.get('one')).toMatchObject({ failures: 0, attempt: 2 });
});

test('two in a row hold the agent and ask: retry, other agent, stop', () => {
  const run = silent(2, true);
  expect(run.of('question.asked')).toMatchObject([
    { request: 'no-result:IMPLEMENT:one', kind: 'no-result', slot: 'IMPLEMENT:one', task: 'one' },
  ]);
  expect(run.open.size).toBe(0);
  run.tell(answer('retry'));
  run.work();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 0 });
});

test('another agent serves the task from then on', () => {
  const run = silent(2, true);
  run.tell(answer('use-codex'));
  expect(run.of('invocation.started').at(-1)).toMatchObject({ mode: 'IMPLEMENT', backend: 'codex' });
});

test('"stop" stops the session with the reason, and the next start tries again', () => {
  const run = silent(2, true);
  run.tell(answer('stop'));
  expect(run.end()).toMatchObject({
    status: 'blocked',
    reason: 'IMPLEMENT:one ended twice without a result; stopped by kim',
  });
  run.start();
  expect(run.state().running).toBe(true);
  expect(run.open.size).toBe(1);
});

test('after "stop" no task counts as running, also not one whose next try was due', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two')],
    attended: true,
    script: (brief) => {
      if (brief.mode !== 'IMPLEMENT') return undefined;
      return [startedTask(brief), failedCall(brief, brief.task?.id === 'one' ? 'no-result' : 'call')];
    },
  })
    .start()
    .work();
  expect(run.state().tasks.get('two')?.status).toBe('running');
  run.tell(answer('stop'));
  expect(run.end()).toMatchObject({ status: 'blocked' });
  expect([...run.state().tasks.values()].map(({ status }) => status)).toEqual(['open', 'open']);
  run.start();
  expect(run.of('invocation.started').at(-1)).toMatchObject({ mode: 'IMPLEMENT' });
});

test('where nobody says what to ask before the plan, a person lets it be made without questions', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    attended: true,
    script: (brief) => (brief.mode === 'brainstorm' ? [failedCall(brief, 'no-result')] : undefined),
  })
    .start()
    .work();
  expect(run.of('question.asked')).toMatchObject([
    { request: 'no-result:brainstorm', options: [{ id: 'retry' }, { id: 'no-questions' }, { id: 'stop' }] },
  ]);
  run.tell({ ...answer('no-questions'), request: 'no-result:brainstorm' });
  run.finish();
  expect(run.state().planItems.get('plan-brainstorm')).toEqual({
    mark: 'cancelled',
    note: 'kim plans without questions',
  });
  expect(run.state().tasks.get('one')?.status).toBe('done');
});

test('asked again after two more', () => {
  const run = silent(4, true);
  run.tell(answer('retry'));
  run.work();
  expect(run.of('question.asked')).toHaveLength(2);
});

test('headless the question stops the session, exit 3', () => {
  const run = silent(2, false);
  expect(run.end()).toMatchObject({ status: 'in_progress', exit_code: 3 });
  expect(run.end()?.reason).toContain('gate: script ended twice in a row without a result');
});

test('RETRY by a person answers the question', () => {
  const run = silent(2, true);
  run.tell({ type: 'task.reset', task: 'one', reason: 'RETRY' });
  expect(run.state().questions.size).toBe(0);
  expect(run.open.size).toBe(1);
});

test('other tasks go on while a person is asked about one', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two')],
    attended: true,
    script: (brief) => (brief.task?.id === 'one' ? [failedCall(brief, 'no-result')] : undefined),
  })
    .start()
    .work();
  expect(run.state().tasks.get('two')?.status).toBe('done');
  expect(run.state().questions.get('no-result:IMPLEMENT:one')?.answer).toBeNull();
});

test('an agent that runs into its deadline or falls silent is stopped', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one', { timeout_ms: 5_000 })],
    script: (brief) => (brief.mode === 'IMPLEMENT' && brief.invocation === 'Executor-5' ? null : undefined),
  })
    .start()
    .work();
  const start = run.of('invocation.started').find((event) => event.invocation === 'Executor-5');
  expect(run.timers.get('wip:Executor-5')).toBe(Date.parse(start?.at ?? '') + 5_000);
  run.tell({ type: 'timer.fired', timer: 'stall:Executor-5' });
  expect(run.effects).toContainEqual({
    type: 'stop-invocation',
    invocation: 'Executor-5',
    reason: 'stall',
  });
  run.finish();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 0 });
});

test('a timer of an invocation that is over stops nothing', () => {
  const run = createPipelineRun({ tasks: [defineTask('one')] })
    .start()
    .work();
  const before = run.effects.length;
  run.tell({ type: 'timer.fired', timer: 'wip:Planner-1' });
  expect(run.effects.slice(before).map((effect) => effect.type)).not.toContain('stop-invocation');
});

test('a review without a verdict is tried again, and the task is not failed by it', () => {
  let first = true;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      const outcome = goodOutcome(brief);
      if (brief.mode !== 'TASK_REVIEW' || !first || outcome.role !== 'Reviewer') return undefined;
      first = false;
      const { verdict: _, ...without } = outcome;
      return [ended(brief, without)];
    },
  })
    .start()
    .finish();
  expect(run.of('retry.scheduled')).toMatchObject([{ reason: 'the review gave no verdict' }]);
  expect(run.of('task.failed')).toHaveLength(0);
});

test('an outcome of another role is no result', () => {
  let first = true;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      if (brief.mode !== 'brainstorm' || !first) return undefined;
      first = false;
      return [ended(brief, goodOutcome({ ...brief, role: 'Librarian', mode: 'STAGE' }))];
    },
  })
    .start()
    .finish();
  expect(run.of('retry.scheduled')).toMatchObject([{ reason: 'the answer belongs to another role' }]);
});

test('a stop with a reason waits for what still runs', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two')],
    attended: true,
    script: (brief) => {
      if (brief.mode !== 'IMPLEMENT') return undefined;
      return brief.task?.id === 'one' ? [failedCall(brief, 'no-result')] : null;
    },
  })
    .start()
    .work();
  run.tell(answer('stop'));
  expect(run.state().running).toBe(true);
  const [two] = [...run.open.values()];
  if (!two) throw new Error('nobody works');
  run.tell(ended(two, goodOutcome(two)));
  expect(run.end()).toMatchObject({ status: 'blocked' });
  expect(run.state().tasks.get('two')?.status).toBe('review');
});

test('a session that stopped because an agent could not be had tries again from the start when it is resumed', () => {
  let broken = true;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'SESSION_REVIEW' && broken ? [failedCall(brief)] : undefined),
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({ status: 'blocked', exit_code: 1 });
  broken = false;
  run.start().finish();
  expect(run.end()).toMatchObject({ status: 'completed' });
  expect(run.of('task.qualified')).toHaveLength(1);
});

test('when reviews cannot be had, those that run come back first, nothing new starts, and no task is failed', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two'), defineTask('three')],
    settings: (old) => ({
      ...old,
      concurrency: { max_parallel_executors: 3, max_parallel_reviewers: 2, max_parallel_checks: 1 },
      retries: { ...old.retries, backoff: [] },
    }),
    script: (brief) => {
      if (brief.mode !== 'TASK_REVIEW') return undefined;
      return brief.task?.id === 'one' ? [failedCall(brief)] : null;
    },
  })
    .start()
    .work();
  expect([...run.open.values()].map((brief) => brief.task?.id)).toEqual(['two']);
  const [two] = [...run.open.values()];
  if (!two) throw new Error('nobody reviews');
  run.tell(ended(two, goodOutcome(two)));
  expect(run.end()).toMatchObject({
    status: 'blocked',
    reason: 'Reviewer TASK_REVIEW failed once: the call went wrong',
  });
  expect([...run.state().tasks.values()].map((task) => task.status)).toEqual(['review', 'done', 'review']);
});

test('a fault that only a person can mend is not tried again: the session stops with the sentence, and its next start calls again', () => {
  let isLoggedIn = false;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) =>
      isLoggedIn || brief.mode !== 'IMPLEMENT'
        ? undefined
        : [
            {
              type: 'invocation.failed',
              invocation: brief.invocation,
              kind: 'call',
              fault: {
                code: 'agent-login',
                what: 'odd is not logged in',
                where: 'odd',
                hint: 'run `odd login`',
              },
            },
          ],
  })
    .start()
    .finish();
  expect(run.of('retry.scheduled')).toHaveLength(0);
  expect(run.end()).toMatchObject({
    status: 'blocked',
    reason: 'Executor IMPLEMENT: odd is not logged in; run `odd login`',
    exit_code: 1,
  });
  isLoggedIn = true;
  run.start().finish();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 0 });
});
