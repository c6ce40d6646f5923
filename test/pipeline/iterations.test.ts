import { expect, test } from 'vitest';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedOutcome,
  goodOutcome,
  type PipelineRun,
} from '../helpers/pipeline-run.ts';

/** Iteration 1 ends with `one` done, `two` failed and `three` unreachable; then feedback lies there. */
const withFeedback = (feedback: string[]): PipelineRun => {
  let broken = true;
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two'), defineTask('three', { blockedBy: ['two'] })],
    feedback,
    script: (brief) => {
      if (brief.mode === 'IMPLEMENT' && brief.task?.id === 'two' && broken)
        return [ended(brief, failedOutcome(brief))];
      if (brief.mode === 'feedback-analysis') broken = false;
      return undefined;
    },
  })
    .start()
    .finish();
  return run;
};

test('feedback after COMPLETE starts iteration N+1, and unfinished tasks go along with their attempts at 1', () => {
  const run = withFeedback(['20260215-120000']);
  expect(run.end()).toMatchObject({ status: 'awaiting_feedback' });
  const before = run.events.length;
  run.start();
  expect(run.state()).toMatchObject({ state: 'REPLANNING', iteration: 2, status: 'in_progress' });
  run.finish();
  const later = run.of('invocation.started').filter((event) => event.seq > before);
  expect(later.slice(0, 4).map((event) => event.mode)).toEqual([
    'feedback-analysis',
    'research',
    'UPDATE',
    'REBREAKDOWN',
  ]);
  expect(
    later.filter((event) => event.mode === 'IMPLEMENT').map((event) => [event.task, event.attempt]),
  ).toEqual([
    ['two', 1],
    ['three', 1],
  ]);
  expect(run.state().tasks.get('one')).toMatchObject({
    status: 'done',
    iteration: 1,
    definition: { iteration: 1 },
  });
  expect(run.state().tasks.get('two')).toMatchObject({
    status: 'done',
    iteration: 2,
    definition: { iteration: 2 },
  });
  expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
});

test('the number of the iteration moves in the same write as the state', () => {
  const run = withFeedback(['20260215-120000']);
  const before = run.effects.length;
  run.start();
  const effects = run.effects.slice(before).map((effect) => effect.type);
  const state = run.of('state.entered').find((event) => event.state === 'REPLANNING');
  const iteration = run.of('iteration.started')[0];
  expect(iteration?.seq).toBe((state?.seq ?? 0) + 1);
  expect(effects.indexOf('prepare-iteration')).toBeGreaterThan(-1);
  expect(effects.slice(effects.indexOf('prepare-iteration'))[1]).toBe('write-snapshots');
});

test('a crash between the state and the iteration goes on where it was', () => {
  const run = withFeedback(['20260215-120000']).start();
  const entered = run.of('state.entered').find((event) => event.state === 'REPLANNING')?.seq ?? 0;
  run.crash(run.events.length - entered);
  expect(run.state()).toMatchObject({ state: 'REPLANNING', iteration: 2 });
  expect(run.of('iteration.started')).toHaveLength(1);
  run.finish();
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('an aborted session takes feedback too', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    feedback: ['20260215-120000'],
    script: (brief) => (brief.mode === 'IMPLEMENT' && brief.iteration === 1 ? null : undefined),
  })
    .start()
    .work();
  run.tell({ type: 'abort.requested', signal: null, by: 'kim' });
  expect(run.end()).toMatchObject({ status: 'aborted' });
  run.start().finish();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', attempt: 1, iteration: 2 });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('a finished task that the new plan lists again is open again; its attempts restart at 1', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    feedback: ['20260215-120000'],
    script: (brief) =>
      brief.mode === 'REBREAKDOWN'
        ? [
            ended(brief, goodOutcome(brief), [
              defineTask('one', { iteration: 2 }),
              defineTask('new', { iteration: 2 }),
            ]),
          ]
        : undefined,
  })
    .start()
    .finish()
    .start()
    .finish();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', attempt: 1, iteration: 2 });
  expect(run.of('task.qualified').map((event) => event.task)).toEqual(['one', 'one', 'new']);
});

test('what was carried forward waits at the next gate beside what is staged then', () => {
  const run = createPipelineRun({ tasks: [defineTask('one')], feedback: ['20260215-120000'] })
    .start()
    .finish();
  expect(run.state().knowledge.carried).toEqual(['how-to/build.md']);
  run.start();
  expect(run.state().knowledge).toMatchObject({ staged: [], carried: ['how-to/build.md'] });
});

test('RETRY after the end starts the work anew in the same iteration', () => {
  let polls = 0;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    poll: (_checkpoint, session) => {
      if (session.state().state === 'COMPLETE' && session.of('session.started').length === 2 && polls++ === 0)
        session.commit({ type: 'task.reset', task: 'one', reason: 'RETRY', message: 'again', signal: 's' });
    },
  })
    .start()
    .finish()
    .start()
    .finish();
  expect(run.of('task.qualified').map((event) => event.attempt)).toEqual([1, 2]);
  expect(run.state()).toMatchObject({ iteration: 1, status: 'completed' });
});
