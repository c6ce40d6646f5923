import { expect, test } from 'vitest';
import { evolve } from '../../src/pipeline/evolve.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import { modeOf, modes } from '../../src/pipeline/modes/index.ts';
import { next } from '../../src/pipeline/next.ts';
import { unanswered } from '../../src/pipeline/stop.ts';
import { stateNameSchema } from '../../src/session/status.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedCall,
  failedOutcome,
  goodOutcome,
  startedTask,
} from '../helpers/pipeline-run.ts';

const two = [defineTask('one'), defineTask('two', { blockedBy: ['one'] })];

test('every state belongs to a mode, and has a stage and a cell of the strip in each of its modes', () => {
  const staged = modes.flatMap(({ stages }) => Object.keys(stages));
  expect([...new Set(staged)].sort()).toEqual([...stateNameSchema.options].sort());
  for (const { stages, strip, first, last } of modes) {
    expect(strip.map(({ state }) => state).sort()).toEqual(Object.keys(stages).sort());
    expect(Object.keys(stages)).toEqual(expect.arrayContaining([first, last]));
  }
});

test('the mode `waves` has ten states', () => {
  expect(Object.keys(modeOf({ mode: 'waves' }).stages)).toHaveLength(10);
});

test('all done: completed, exit 0', () => {
  const run = createPipelineRun({ tasks: two }).start().finish();
  expect(run.end()).toMatchObject({ status: 'completed', reason: 'completed', exit_code: 0 });
  expect(run.state()).toMatchObject({ state: 'COMPLETE', status: 'completed', running: false });
});

test('a task that failed for good and one it makes unreachable: awaiting_feedback, exit 1', () => {
  const run = createPipelineRun({
    tasks: two,
    script: (brief) => (brief.mode === 'IMPLEMENT' ? [ended(brief, failedOutcome(brief))] : undefined),
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({ status: 'awaiting_feedback', reason: 'failed tasks', exit_code: 1 });
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'failed', failures: 3, attempt: 3 });
  expect(run.state().tasks.get('two')).toMatchObject({ status: 'open', attempt: 0 });
});

test('all tasks done, but the review finds the goals not achieved: awaiting_feedback with the gap, exit 1', () => {
  const run = createPipelineRun({
    tasks: two,
    script: (brief) => {
      const outcome = goodOutcome(brief);
      return brief.mode === 'SESSION_REVIEW' && outcome.role === 'Reviewer'
        ? [ended(brief, { ...outcome, goals_achieved: false, gaps: ['nobody greets'] })]
        : undefined;
    },
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({
    status: 'awaiting_feedback',
    reason: 'the review of the session finds its goals not achieved: nobody greets',
    exit_code: 1,
  });
});

test('a cancelled task alone does not spoil the end', () => {
  const run = createPipelineRun({ tasks: [defineTask('one'), defineTask('two')] }).start();
  while (run.state().tasks.size === 0) run.answer();
  run.tell({ type: 'task.cancelled', task: 'two', reason: 'not needed' });
  run.finish();
  expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
});

test('headless at the plan gate: the state stays, exit 3 with what waits', () => {
  const run = createPipelineRun({ tasks: two, settings: (old) => ({ ...old, gates: ['plan'] }) })
    .start()
    .finish();
  expect(run.end()).toMatchObject({
    status: 'in_progress',
    reason: 'gate: the plan is waiting for approval',
    exit_code: 3,
  });
  expect(run.state()).toMatchObject({ state: 'PLANNING', status: 'in_progress' });
});

test('quit while tasks are open: paused, exit 4, and a start goes on with a new attempt', () => {
  const run = createPipelineRun({
    tasks: two,
    script: (brief) => (brief.task?.id === 'one' && brief.attempt === 1 ? null : undefined),
  }).start();
  run.work();
  run.quit();
  expect(run.state()).toMatchObject({ state: 'EXECUTING_BATCH', status: 'paused', stopReason: 'quit' });
  run.start().finish();
  expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', attempt: 2, failures: 0, crashes: 0 });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('ABORT: what runs is stopped, [/] becomes [F] without counting, COMPLETE, exit 130', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one'), defineTask('two')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  run.work();
  const [brief] = [...run.open.values()];
  if (!brief) throw new Error('nothing runs');
  run.tell(startedTask(brief));
  run.tell({ type: 'abort.requested', signal: 'a', by: 'kim' });
  expect(run.effects).toContainEqual({ type: 'stop-everything', reason: 'abort' });
  expect(run.end()).toMatchObject({ status: 'aborted', reason: 'aborted', exit_code: 130 });
  expect(run.state()).toMatchObject({ state: 'COMPLETE', status: 'aborted' });
  expect(run.state().tasks.get(brief.task?.id ?? '')).toMatchObject({
    status: 'failed',
    reason: 'Aborted by signal',
    failures: 0,
  });
  // The other one had not been marked in progress.
  expect([...run.state().tasks.values()].map((task) => task.status).sort()).toEqual(['failed', 'open']);
  expect(run.effects.filter((effect) => effect.type === 'sweep-signals')).toMatchObject([
    { why: 'session-end' },
  ]);
});

test('nothing is settled by ABORT before its processes are verified gone', () => {
  const run = createPipelineRun({
    tasks: two,
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  run.work();
  run.commit({ type: 'abort.requested', signal: null, by: 'kim' });
  expect(run.state().abort).toMatchObject({ stopped: false });
  expect(next(run.state())).toBeNull();
  // One may be reported as gone while another still runs.
  run.commit({ type: 'processes.stopped', reason: 'abort', stopped: [], unverified: [] });
  expect(next(run.state())).toBeNull();
  expect(run.state().state).toBe('EXECUTING_BATCH');
  // The program dies right there: the next start stops everything again and finishes the abort.
  run.crash();
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
});

test('an invocation that cannot be had stops the session with the reason, status blocked', () => {
  const run = createPipelineRun({
    tasks: two,
    script: (brief) => (brief.mode === 'brainstorm' ? [failedCall(brief)] : undefined),
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({
    status: 'blocked',
    reason: 'Questioner brainstorm failed 5 times: the call went wrong',
    exit_code: 1,
  });
  expect(run.state().state).toBe('PLANNING');
});

test('a completed session that is started again only ends again in the same way', () => {
  const run = createPipelineRun({ tasks: two }).start().finish();
  const before = run.of('state.entered').length;
  run.start();
  expect(run.effects).toContainEqual({ type: 'look-for-feedback', iteration: 2 });
  expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
  expect(run.of('session.stopped')).toHaveLength(2);
  expect(run.of('state.entered')).toHaveLength(before);
});

test('without a person there a session stops at an open question, but never at that about an edit', () => {
  const at = '2026-02-15T03:15:00.000Z';
  const asked = { type: 'question.asked' as const, at, options: [], invocation: null };
  const edit = evolve(initialState(), { ...asked, seq: 1, kind: 'edit', request: 'edit:p:1', text: 'You?' });
  expect(unanswered(edit)).toBeNull();
  const both = evolve(edit, { ...asked, seq: 2, kind: 'merge', request: 'merge:a:1', text: 'Whose?' });
  expect(unanswered(both)).toMatchObject({
    type: 'session.stopped',
    reason: expect.stringContaining('Whose?'),
  });
});
