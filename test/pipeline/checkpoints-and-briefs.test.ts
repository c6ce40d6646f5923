import { expect, test } from 'vitest';
import { briefOf } from '../../src/pipeline/brief.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

test('the orchestrator looks before every state, before each invocation, between tasks and between reviews', () => {
  const looks: string[] = [];
  const run = createPipelineRun({
    tasks: [defineTask('a'), defineTask('b')],
    settings: (old) => ({
      ...old,
      concurrency: { max_parallel_executors: 1, max_parallel_reviewers: 1, max_parallel_checks: 1 },
    }),
    poll: (checkpoint, session) => looks.push(`${session.state().state} ${checkpoint.split('.')[1]}`),
  })
    .start()
    .finish();
  expect(looks).toEqual([
    'INITIALIZING invoke',
    'INITIALIZING boundary',
    'PLANNING invoke',
    'PLANNING invoke',
    'PLANNING invoke',
    'PLANNING boundary',
    'BATCHING boundary',
    'EXECUTING_BATCH invoke',
    'EXECUTING_BATCH between-reviews',
    'EXECUTING_BATCH between-tasks',
    'EXECUTING_BATCH between-reviews',
    'EXECUTING_BATCH boundary',
    'REVIEWING_BATCH boundary',
    'BATCHING boundary',
    'SESSION_REVIEW invoke',
    'SESSION_REVIEW boundary',
    'KNOWLEDGE_EXTRACTION invoke',
    'KNOWLEDGE_EXTRACTION boundary',
    'KNOWLEDGE_APPROVAL approval',
    'KNOWLEDGE_APPROVAL boundary',
    'COMPLETE boundary',
  ]);
  expect(run.of('state.entered')).toHaveLength(looks.filter((look) => look.endsWith('boundary')).length - 1);
});

test('an ABORT is not looked behind', () => {
  const looks: string[] = [];
  const run = createPipelineRun({
    tasks: [defineTask('a')],
    poll: (checkpoint) => looks.push(checkpoint),
  }).start();
  const before = looks.length;
  run.tell({ type: 'abort.requested', signal: null, by: 'kim' });
  expect(run.end()).toMatchObject({ status: 'aborted' });
  expect(looks).toHaveLength(before);
});

test('a PAUSE that is seen before an invocation keeps it from starting', () => {
  let seen = false;
  const run = createPipelineRun({
    tasks: [defineTask('a')],
    poll: (checkpoint, session) => {
      if (checkpoint !== 'Orchestrator.invoke' || seen || session.state().state !== 'EXECUTING_BATCH') return;
      seen = true;
      session.commit({ type: 'hold.requested', signal: 's', by: 'kim' });
    },
  })
    .start()
    .work();
  expect(run.state().hold?.stage).toBe('paused');
  expect(run.of('invocation.started').map((event) => event.mode)).not.toContain('IMPLEMENT');
});

test('a brief tells an Executor its task and attempt, and those who look at the whole all tasks', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a'), defineTask('b')],
    script: (brief) => (brief.mode === 'SESSION_REVIEW' ? null : undefined),
  }).start();
  while (run.state().state !== 'EXECUTING_BATCH') run.answer();
  const executor = [...run.open.values()][0];
  expect(executor).toMatchObject({
    role: 'Executor',
    mode: 'IMPLEMENT',
    task: { id: 'a' },
    attempt: 1,
    tasks: [],
    goal: 'Ship it',
    workspace: '/work',
    sessionDirectory: '/work/.ralph-sessions/260215-101500',
  });
  run.work();
  const reviewer = [...run.open.values()][0];
  expect(reviewer?.tasks.map((task) => [task.definition.id, task.status, task.attempts])).toEqual([
    ['a', 'done', 1],
    ['b', 'done', 1],
  ]);
  expect(reviewer?.task).toBeUndefined();
});

test('an invocation that the state does not hold has no brief', () => {
  const run = createPipelineRun().start();
  expect(() => briefOf(run.state(), 'Executor-99')).toThrow('no invocation Executor-99');
});
