import { expect, test } from 'vitest';
import type { Brief } from '../../src/agents/port.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedCall,
  failedOutcome,
  failedReview,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../helpers/pipeline-run.ts';

/** Runs one task; `answers` are what its invocations of `mode` come to, in order, then all goes well. */
const oneTask = (
  mode: Brief['mode'],
  answers: readonly ((brief: Brief) => EventBody[])[],
  fields: Parameters<typeof defineTask>[1] = {},
): PipelineRun => {
  let turn = 0;
  return createPipelineRun({
    tasks: [defineTask('one', fields)],
    script: (brief) => (brief.mode === mode ? answers[turn++]?.(brief) : undefined),
  })
    .start()
    .finish();
};

const attemptsOf = (run: PipelineRun) =>
  run.of('invocation.started').flatMap((event) => (event.mode === 'IMPLEMENT' ? [event.attempt] : []));

const call = (brief: Brief) => [failedCall(brief)];

test('a failed outcome uses up an attempt, and the next one is told what a person said before', () => {
  const run = oneTask('IMPLEMENT', [(brief) => [ended(brief, failedOutcome(brief))]]);
  expect(attemptsOf(run)).toEqual([1, 2]);
  expect(run.of('task.failed')).toMatchObject([{ attempt: 1, counts: true, reason: 'it failed' }]);
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 1, attempt: 2 });
});

test('a verdict Failed uses up an attempt, and its feedback reaches the next Executor', () => {
  const run = oneTask('TASK_REVIEW', [(brief) => [ended(brief, failedReview(brief, 'no tests'))]]);
  expect(attemptsOf(run)).toEqual([1, 2]);
  const second = run.of('invocation.started').filter((event) => event.mode === 'IMPLEMENT')[1];
  expect(second?.messages).toEqual([
    { id: 'review:one:1', kind: 'RETRY', text: 'no tests', from: 'Reviewer' },
  ]);
});

test('a timeout uses up an attempt', () => {
  const run = oneTask('IMPLEMENT', [(brief) => [failedCall(brief, 'timeout')]]);
  expect(attemptsOf(run)).toEqual([1, 2]);
  expect(run.state().tasks.get('one')?.failures).toBe(1);
});

test('the cap counts outcomes: after max_attempts of them the task is settled', () => {
  const run = oneTask(
    'IMPLEMENT',
    Array.from({ length: 9 }, () => (brief: Brief) => [ended(brief, failedOutcome(brief))]),
  );
  expect(attemptsOf(run)).toEqual([1, 2, 3]);
  expect(run.effects).toContainEqual({
    type: 'sweep-signals',
    why: 'task-settled',
    task: 'one',
    reason: 'one has failed',
  });
});

test('a quota does not count: dispatch is held until the stated time and resumes by itself', () => {
  const until = Date.UTC(2026, 1, 15, 9, 0, 0);
  const run = oneTask('IMPLEMENT', [(brief) => [failedCall(brief, 'quota', until)]]);
  expect(run.effects).toContainEqual({ type: 'arm-timer', timer: 'quota', at_ms: until });
  expect(attemptsOf(run)).toEqual([1, 2]);
  expect(run.state().tasks.get('one')?.failures).toBe(0);
  const second = run.of('invocation.started').filter((event) => event.mode === 'IMPLEMENT')[1];
  expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(until);
});

test('a failed call is tried again inside the attempt: at once, after 30 s, 60 s and 60 s', () => {
  const run = oneTask('IMPLEMENT', [call, call, call, call]);
  expect(attemptsOf(run)).toEqual([1, 1, 1, 1, 1]);
  const waits = run
    .of('retry.scheduled')
    .map((event) => Math.round((event.at_ms - Date.parse(event.at) + 10) / 1_000));
  expect(waits).toEqual([0, 30, 60, 60]);
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 0 });
  expect(run.state().retries.size).toBe(0);
});

test('a new attempt has its tries anew, and a number of its own', () => {
  const fail = (brief: Brief) => [ended(brief, failedOutcome(brief))];
  const run = oneTask('IMPLEMENT', [call, call, fail, call]);
  expect(attemptsOf(run)).toEqual([1, 1, 1, 2, 2]);
  expect(run.of('retry.scheduled').map((event) => event.tries)).toEqual([1, 2, 1]);
});

test('a part may wait for the task it was cut from: that edge is left out of account', () => {
  const run = createPipelineRun({
    tasks: [
      defineTask('one', { replaced_by: ['a', 'b'] }),
      defineTask('a', { blockedBy: ['one'] }),
      defineTask('b'),
    ],
  })
    .start()
    .finish();
  expect(run.of('task.qualified').map((event) => event.task)).toEqual(['a', 'b']);
});

test('a task that waits for its next try when its blocker is opened again waits for the blocker first', () => {
  let calls = 0;
  const run = createPipelineRun({
    tasks: [defineTask('root'), defineTask('leaf', { blockedBy: ['root'] })],
    script: (brief) =>
      brief.task?.id === 'leaf' && brief.mode === 'IMPLEMENT' && calls++ < 2
        ? [startedTask(brief), failedCall(brief)]
        : undefined,
  })
    .start()
    .work();
  expect(run.state().tasks.get('leaf')?.status).toBe('running');
  run.tell({ type: 'task.reset', task: 'root', reason: 'RETRY' });
  run.finish();
  expect(run.of('task.qualified').map((event) => event.task)).toEqual(['root', 'root', 'leaf']);
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('when the tries are used up the Planner cuts the task anew, and the parts stand for it', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('after', { blockedBy: ['one'] })],
    script: (brief) => {
      if (brief.mode === 'IMPLEMENT' && brief.task?.id === 'one') return call(brief);
      if (brief.mode !== 'REBREAKDOWN_TASK') return undefined;
      const parts = [defineTask('one-a'), defineTask('one-b', { blockedBy: ['one-a'] })];
      return [ended(brief, goodOutcome(brief), parts)];
    },
  })
    .start()
    .finish();
  expect(run.of('task.replaced')).toMatchObject([{ task: 'one', by: ['one-a', 'one-b'] }]);
  const order = run.of('task.qualified').map((event) => event.task);
  expect(order).toEqual(['one-a', 'one-b', 'after']);
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'cancelled', failures: 0 });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('a call that fails for ever ends the task, not only the patience', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? call(brief) : undefined),
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({ reason: 'failed tasks' });
  expect(run.of('task.escalated')).toHaveLength(1);
  expect(run.state().tasks.get('one')?.failures).toBe(3);
});

test('a stall is tried again like a failed call', () => {
  const run = oneTask('IMPLEMENT', [(brief) => [failedCall(brief, 'stall')]]);
  expect(attemptsOf(run)).toEqual([1, 1]);
});

test('an escalation opens the task again without counting, and the Planner rewrites it once', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      if (brief.mode === 'IMPLEMENT' && brief.task?.title === 'one')
        return [ended(brief, failedOutcome(brief, 'blocked'), undefined, 'STEER scope change: build B')];
      if (brief.mode === 'REBREAKDOWN_TASK')
        return [ended(brief, goodOutcome(brief), [defineTask('one', { title: 'build B' })])];
      return undefined;
    },
  })
    .start()
    .finish();
  expect(run.of('task.escalated')).toMatchObject([{ task: 'one', message: 'STEER scope change: build B' }]);
  expect(run.of('tasks.defined').at(-1)).toMatchObject({ replaces: 'one' });
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', failures: 0, attempt: 2, replans: 1 });
});

test('crashes do not count, but ten in a row without progress stop the task', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  for (let crashes = 0; crashes < 9; crashes += 1) {
    run.work();
    run.crash();
  }
  run.work();
  expect(run.state().tasks.get('one')).toMatchObject({ failures: 0, crashes: 9, attempt: 10 });
  run.crash().finish();
  expect(run.of('task.failed')).toMatchObject([
    { reason: 'ten crashes in a row without progress', counts: false, final: true },
  ]);
  expect(run.end()).toMatchObject({ reason: 'failed tasks' });
});

test.each([
  ['a result', undefined, { status: 'review', failures: 0, crashes: 0 }],
  ['a failure that counts', failedOutcome, { failures: 1, crashes: 0 }],
] as const)('%s ends the row of crashes', (_, outcome, expected) => {
  let crashes = 0;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      if (brief.mode === 'TASK_REVIEW') return null;
      if (brief.mode !== 'IMPLEMENT') return undefined;
      if (crashes < 9 || brief.attempt !== 10) return null;
      return outcome === undefined ? undefined : [ended(brief, outcome(brief))];
    },
  }).start();
  for (; crashes < 9; crashes += 1) {
    run.work();
    run.crash();
  }
  run.work();
  expect(run.state().tasks.get('one')).toMatchObject(expected);
});

test('a task whose file is missing fails with the words that others look for, and is not tried again', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two', { blockedBy: ['one'] })],
    script: (brief) => (brief.mode === 'IMPLEMENT' && brief.attempt === 1 ? null : undefined),
  }).start();
  run.work();
  run.tell({ type: 'task.file-missing', task: 'one' });
  run.finish();
  expect(run.effects).toContainEqual({ type: 'stop-invocation', invocation: 'Executor-5', reason: 'cancel' });
  expect(run.of('task.failed')).toMatchObject([{ task: 'one', reason: 'Task definition missing' }]);
  expect(attemptsOf(run)).toEqual([1]);
  expect(run.end()).toMatchObject({ reason: 'failed tasks' });
});

test('RETRY opens a settled task again with the message, and arms what was unreachable behind it', () => {
  let broken = true;
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two', { blockedBy: ['one'] })],
    attended: true,
    script: (brief) =>
      brief.task?.id === 'one' && brief.mode === 'IMPLEMENT' && broken
        ? [ended(brief, failedOutcome(brief))]
        : undefined,
  })
    .start()
    .finish();
  expect(run.state().state).toBe('KNOWLEDGE_APPROVAL');
  broken = false;
  run.tell({ type: 'task.reset', task: 'one', reason: 'RETRY', message: 'use npm', signal: 's1' });
  const last = run.of('invocation.started').at(-1);
  expect(last).toMatchObject({
    task: 'one',
    attempt: 4,
    messages: [
      { kind: 'RETRY', text: 'it failed', from: 'the attempt before' },
      { kind: 'RETRY', text: 'use npm' },
    ],
  });
  expect(run.state().gate).toBeNull();
  run.finish();
  expect(run.state().tasks.get('two')?.status).toBe('done');
  expect(run.path().filter((state) => state === 'SESSION_REVIEW')).toHaveLength(2);
});

test('RETRY and CANCEL of a running task stop its invocation, and a result that still comes is dropped', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'IMPLEMENT' && brief.attempt === 1 ? null : undefined),
  }).start();
  run.work();
  const [brief] = [...run.open.values()];
  if (!brief) throw new Error('nothing runs');
  // The agent ends in the same moment, before it can be stopped.
  run.commit({ type: 'task.reset', task: 'one', reason: 'RETRY' }, ended(brief, goodOutcome(brief)));
  run.finish();
  expect(run.of('invocation.settled')).toHaveLength(1);
  expect(run.of('task.submitted')).toMatchObject([{ attempt: 2 }]);
  expect(run.effects).toContainEqual({
    type: 'stop-invocation',
    invocation: brief.invocation,
    reason: 'retry',
  });
});

test('a CANCEL makes what depends on the task unreachable', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two', { blockedBy: ['one'] })],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  run.work();
  run.tell({ type: 'task.cancelled', task: 'one', reason: 'CANCEL by kim' });
  run.finish();
  expect(run.end()).toMatchObject({ reason: 'failed tasks', exit_code: 1 });
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'cancelled', reason: 'CANCEL by kim' });
});

test('what a person edits in progress.md is taken over, whoever works on it', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two', { blockedBy: ['one'] })],
    script: (brief) => (brief.task?.id === 'one' && brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  run.work();
  run.tell({ type: 'task.edited-by-hand', task: 'one', from: 'running', to: 'done' });
  run.finish();
  expect(run.of('task.submitted').map((event) => event.task)).toEqual(['two']);
  expect(run.end()).toMatchObject({ status: 'completed' });
});
