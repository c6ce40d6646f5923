import { expect, test } from 'vitest';
import { createPipelineRun, defineTask, type PipelineRun } from '../helpers/pipeline-run.ts';

/** Two tasks at work whose agents answer when the test says so. */
const working = (): PipelineRun => {
  let silent = true;
  const run = createPipelineRun({
    tasks: [defineTask('a'), defineTask('b'), defineTask('c', { blockedBy: ['a', 'b'] })],
    attended: true,
    script: (brief) => (brief.mode === 'IMPLEMENT' && silent ? null : undefined),
  })
    .start()
    .work();
  silent = false;
  return run;
};

const drain = { type: 'drain.requested', signal: 'd1', by: 'kim' } as const;
const stopsDrained = { status: 'paused', reason: 'drain requested by kim', exit_code: 4 };

test('DRAIN lets every running attempt end, keeps its result, starts nothing, and stops resumable', () => {
  const run = working();
  run.tell(drain);
  const before = run.of('invocation.started').length;
  expect(run.end()).toBeUndefined();
  run.answer();
  expect(run.end()).toBeUndefined();
  run.answer();
  expect(run.end()).toMatchObject(stopsDrained);
  expect(run.of('invocation.started')).toHaveLength(before);
  expect([...run.state().tasks.values()].map(({ status }) => status)).toEqual(['review', 'review', 'open']);
  expect(run.state()).toMatchObject({ state: 'EXECUTING_BATCH', status: 'paused', drain: null });
});

test('a drained session resumes and comes to its end; nothing is done twice', () => {
  const run = working();
  run.tell(drain);
  run.work();
  run.start();
  run.work();
  run.tell({ type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: null });
  run.finish();
  expect(run.end()).toMatchObject({ status: 'completed' });
  expect([...run.state().tasks.values()].map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
});

test('while held DRAIN stops at once, and the hold is kept', () => {
  const run = working();
  run.tell({ type: 'hold.requested', signal: 'p1', by: 'lee' });
  for (const invocation of [...run.open.keys()])
    run.tell({ type: 'invocation.paused', invocation, continuation: null });
  expect(run.state().hold?.stage).toBe('paused');
  run.tell(drain);
  expect(run.end()).toMatchObject(stopsDrained);
  run.start();
  expect(run.state()).toMatchObject({ hold: { stage: 'paused' }, running: true });
});

test('RESUME does not cancel a DRAIN', () => {
  const run = working();
  run.tell({ type: 'hold.requested', signal: 'p1', by: 'lee' }, drain);
  run.tell({ type: 'hold.ended', signal: 'r1', by: 'lee' });
  run.work();
  expect(run.end()).toMatchObject(stopsDrained);
});

test('ABORT overtakes a DRAIN that waits', () => {
  const run = working();
  run.tell(drain);
  run.tell({ type: 'abort.requested', signal: 'a1', by: 'lee' });
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
});

test('at a gate nothing runs: DRAIN stops at once, and the gate is open again after a resume', () => {
  const run = createPipelineRun({ tasks: [defineTask('a')], attended: true })
    .start()
    .work();
  expect(run.state().gate?.gate).toBe('knowledge');
  run.tell(drain);
  expect(run.end()).toMatchObject(stopsDrained);
  run.start();
  expect(run.state()).toMatchObject({ running: true, gate: { gate: 'knowledge' } });
});

test('a crash while draining leaves no drain behind: who starts the session again wants it to run', () => {
  const run = working();
  run.tell(drain);
  run.crash();
  expect(run.state().drain).toBeNull();
  run.work();
  expect(run.state().gate?.gate).toBe('knowledge');
});

test('a session that is complete has nothing to drain', () => {
  const run = createPipelineRun({ tasks: [defineTask('a')] })
    .start()
    .finish();
  const end = run.end();
  run.tell(drain);
  expect(run.state()).toMatchObject({ drain: null, status: 'completed' });
  expect(run.end()).toBe(end);
});
