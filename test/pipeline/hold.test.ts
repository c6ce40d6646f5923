import { expect, test } from 'vitest';
import type { EventBody } from '../../src/pipeline/event.ts';
import { createPipelineRun, defineTask, type PipelineRun } from '../helpers/pipeline-run.ts';

const holding = (): PipelineRun =>
  createPipelineRun({
    tasks: [defineTask('a'), defineTask('b')],
    script: (brief) => (brief.mode === 'IMPLEMENT' && !brief.continuation ? null : undefined),
  })
    .start()
    .work();

const pause = { type: 'hold.requested', signal: 'p1', by: 'kim', message: 'wait' } as const;
const resume = { type: 'hold.ended', signal: 'r1', by: 'kim', message: 'continue' } as const;
const paused = (invocation: string) =>
  ({ type: 'invocation.paused', invocation, checkpoint: 'Executor.3.5', continuation: { done: 2 } }) as const;

test('PAUSE waits for everyone to reach a boundary before the hold has begun', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause);
  expect(run.state().hold?.stage).toBe('pausing');
  run.tell(paused(a));
  expect(run.of('hold.begun')).toHaveLength(0);
  run.tell(paused(b));
  expect(run.state()).toMatchObject({ hold: { stage: 'paused' }, status: 'paused' });
});

test('while held nothing starts, not even when a retry falls due', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause, paused(a), paused(b));
  const before = run.of('invocation.started').length;
  run.tell({ type: 'timer.fired', timer: 'retry:IMPLEMENT:a' });
  run.tell({ type: 'task.reset', task: 'a', reason: 'RETRY' });
  expect(run.of('invocation.started')).toHaveLength(before);
  expect(run.of('invocation.resumed')).toHaveLength(0);
});

test('RESUME goes on with the same invocation and attempt, its continuation and both messages', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause, paused(a), paused(b));
  run.tell(resume);
  expect(run.of('invocation.resumed').map((event) => event.invocation)).toEqual([a, b]);
  expect(run.open.get(a)).toMatchObject({ attempt: 1, continuation: { done: 2 } });
  expect(run.open.get(a)?.messages).toEqual([
    { id: 'p1', kind: 'PAUSE', text: 'wait', from: 'kim' },
    { id: 'r1', kind: 'RESUME', text: 'continue', from: 'kim' },
  ]);
  run.finish();
  expect(run.state().tasks.get('a')).toMatchObject({ status: 'done', attempt: 1 });
});

test('a pause that is withdrawn before all have stopped lets those go on that have', () => {
  const run = holding();
  const [a = ''] = [...run.open.keys()];
  run.tell(pause, paused(a));
  run.tell(resume);
  expect(run.of('hold.begun')).toHaveLength(0);
  expect(run.of('invocation.resumed').map((event) => event.invocation)).toEqual([a]);
});

test('a hold survives a crash and a quit: paused invocations go on after RESUME in the same attempt', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause, paused(a), paused(b));
  run.quit();
  run.start();
  run.crash();
  expect(run.state()).toMatchObject({ status: 'paused', hold: { stage: 'paused' } });
  expect(run.open.size).toBe(0);
  run.tell(resume);
  expect([...run.open.values()].map((brief) => [brief.task?.id, brief.attempt])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

test('after a quit without a hold the next start goes straight on under a new number', () => {
  const run = holding();
  run.quit();
  run.start();
  expect([...run.open.values()].map((brief) => brief.attempt)).toEqual([2, 2]);
  expect(run.of('task.interrupted').map((event) => event.reason)).toEqual(['quit', 'quit']);
});

test('time spent held does not count against the deadline of an invocation', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  const deadline = run.timers.get(`wip:${a}`) ?? 0;
  const started = Date.parse(run.of('invocation.started').find((event) => event.invocation === a)?.at ?? '');
  expect(deadline - started).toBe(3_600_000);
  run.tell(pause, paused(a), paused(b));
  expect(run.timers.has(`wip:${a}`)).toBe(false);
  run.crash();
  run.tell(resume);
  const held =
    Date.parse(run.of('invocation.resumed')[0]?.at ?? '') -
    Date.parse(run.of('invocation.paused')[0]?.at ?? '');
  expect(held).toBeGreaterThan(60_000);
  expect(run.timers.get(`wip:${a}`)).toBe(deadline + held);
});

test('what ends while a pause is under way is settled, and its review waits', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause);
  run.commit({ type: 'task.started', task: 'a', attempt: 1, invocation: a, owner: 'x' });
  run.tell(paused(b));
  run.tell({ type: 'invocation.interrupted', invocation: a, reason: 'crash' });
  expect(run.state().tasks.get('a')?.status).toBe('open');
  expect(run.state().hold?.stage).toBe('paused');
});

test('a session that ends while a pause is under way is not called pausing any more', () => {
  const run = holding();
  run.tell(pause);
  run.tell({ type: 'abort.requested', signal: 'x', by: 'kim' });
  run.finish();
  expect(run.end()).toMatchObject({ status: 'aborted' });
  expect(run.state().hold).toBeNull();
});

test('a session that is left while a pause is under way is paused', () => {
  const run = holding();
  run.tell(pause);
  run.quit();
  expect(run.state()).toMatchObject({ running: false, hold: { stage: 'paused' } });
  run.start();
  expect(run.open.size).toBe(0);
  run.tell(resume);
  expect(run.open.size).toBe(2);
});

test('a task cancelled while its invocation is paused does not come back', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause, paused(a), paused(b));
  run.tell({ type: 'task.cancelled', task: 'a', reason: 'CANCEL' });
  run.tell(resume);
  expect(run.of('invocation.resumed').map((event) => event.invocation)).toEqual([b]);
  run.finish();
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('max_duration holds like a PAUSE and stops when all are paused; the next start goes straight on', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a')],
    settings: (old) => ({ ...old, limits: { ...old.limits, max_duration: 60_000 } }),
    script: (brief) => (brief.mode === 'IMPLEMENT' && !brief.continuation ? null : undefined),
  })
    .start()
    .work();
  expect(run.elapse()).toBe('limit:max_duration');
  expect(run.state().hold).toMatchObject({ stage: 'pausing', by: 'limit' });
  const [a = ''] = [...run.open.keys()];
  run.tell(paused(a));
  expect(run.end()).toMatchObject({
    status: 'paused',
    reason: 'limit: max_duration is reached',
    exit_code: 4,
  });
  run.start();
  expect(run.state().hold).toBeNull();
  expect(run.open.get(a)).toMatchObject({ attempt: 1, continuation: { done: 2 } });
});

test('a SET moves the end of a session that runs, from the same start, or lifts it', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  })
    .start()
    .work();
  const set = (limit: number | null) =>
    run.tell({ type: 'settings.changed', set: { 'limits.max_duration': limit } });
  const end = () => run.timers.get('limit:max_duration');
  set(60_000);
  const later = end() ?? 0;
  set(30_000);
  expect(later - (end() ?? 0)).toBe(30_000);
  set(null);
  expect(end()).toBeUndefined();
  set(30_000);
  expect(run.elapse()).toBe('limit:max_duration');
  expect(run.state().hold).toMatchObject({ by: 'limit' });
});

test('max_attempts_total stops before one attempt too many', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a'), defineTask('b'), defineTask('c')],
    settings: (old) => ({ ...old, limits: { ...old.limits, max_attempts_total: 2 } }),
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({ status: 'paused', reason: 'limit: 2 attempts in total', exit_code: 4 });
  expect(run.of('invocation.started').filter((event) => event.mode === 'IMPLEMENT')).toHaveLength(2);
});

test('what is asleep stays asleep when the program ends, even when it is reported as interrupted', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(pause, paused(a), paused(b));
  run.tell({ type: 'invocation.interrupted', invocation: a, reason: 'quit' });
  run.tell(resume);
  expect(run.of('invocation.resumed').map((event) => event.invocation)).toEqual([a, b]);
});

test('a used-up quota keeps paused invocations waiting after RESUME, too', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  const until = Date.UTC(2026, 1, 15, 9, 0, 0);
  const fault = { code: 'quota', what: 'used up' };
  run.tell(pause, paused(a));
  run.tell({ type: 'invocation.failed', invocation: b, kind: 'quota', fault, until });
  run.tell(resume);
  expect(run.of('invocation.resumed')).toHaveLength(0);
  run.tell({ type: 'timer.fired', timer: 'quota' });
  expect(run.of('invocation.resumed').map((event) => event.invocation)).toEqual([a]);
});

const asked = (invocation: string) =>
  ({
    type: 'permission.asked',
    request: `permission:${invocation}:1`,
    invocation,
    agent: 'codex',
    kind: 'command',
    title: 'make',
    command: 'make',
    directory: '/work',
    paths: [],
    diffs: [],
  }) as const;
const allowed = (invocation: string) =>
  ({
    type: 'permission.answered',
    request: `permission:${invocation}:1`,
    invocation,
    decision: 'once',
    by: 'kim',
  }) as const;

test('an open permission is a boundary: the hold begins there, whether it was asked before the PAUSE or answered after it', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(asked(a));
  run.tell(pause);
  run.tell(allowed(a));
  expect(run.state().hold?.stage).toBe('pausing');
  run.tell(asked(b));
  expect(run.state()).toMatchObject({ hold: { stage: 'paused' }, status: 'paused' });
  run.tell(allowed(b));
  expect(run.state().hold?.stage).toBe('paused');
});

test('what was held in a permission works again after RESUME, and its deadline moves by the pause', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  const deadline = run.timers.get(`wip:${a}`) ?? 0;
  run.tell(asked(a));
  run.tell(pause);
  run.tell(paused(b));
  expect(run.timers.has(`wip:${a}`)).toBe(false);
  run.tell(allowed(a));
  run.tell(resume);
  expect(run.timers.get(`wip:${a}`)).toBeGreaterThan(deadline);
  run.tell(pause);
  expect(run.state().hold?.stage).toBe('pausing');
});

test('the deadline of an agent stands still until its permission is answered, and moves by that time', () => {
  const run = holding();
  const [a = ''] = [...run.open.keys()];
  const deadline = run.timers.get(`wip:${a}`) ?? 0;
  run.tell(asked(a));
  expect(run.timers.has(`wip:${a}`)).toBe(false);
  run.tell(allowed(a));
  const waited =
    Date.parse(run.of('permission.answered')[0]?.at ?? '') -
    Date.parse(run.of('permission.asked')[0]?.at ?? '');
  expect(waited).toBeGreaterThan(0);
  expect(run.timers.get(`wip:${a}`)).toBe(deadline + waited);
});

test('the PAUSE tells what came of it, whatever it had to wait for', () => {
  const told = (...after: readonly EventBody[]): readonly (string | null | undefined)[] => {
    const run = holding();
    const [a = '', b = ''] = [...run.open.keys()];
    const pending = { id: 'p1', file: 'p1.md', signal: { type: 'PAUSE', target: 'ALL' } } as const;
    run.tell({ type: 'signal.pending', pending, waits_for: 'the next look' }, pause, {
      type: 'signal.handled',
      ...pending,
      handled_by: 'Ralph-v2-Orchestrator',
      invocation: null,
      checkpoint: 'Orchestrator.watch',
      action_taken: `pausing: waiting for ${a}`,
    });
    const action = () => run.state().signals.get('p1')?.action;
    const first = action();
    run.tell(...(after.length > 0 ? after : [paused(a), paused(b)]));
    const second = action();
    if (after.length === 0) run.tell(resume);
    return [first, second, action()];
  };
  expect(told()).toEqual([expect.stringContaining('pausing'), 'paused', 'paused, then resumed by kim']);
  expect(told(resume).at(-1)).toBe('resumed by kim before the pause');
});

test('without a person a question holds the session once nobody works but the agent that asked', () => {
  const run = holding();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which port?',
    options: [],
    invocation: a,
  });
  expect(run.of('hold.requested')).toEqual([]);
  run.tell({ type: 'invocation.interrupted', invocation: b, reason: 'cancel' });
  expect(run.of('hold.requested')).toMatchObject([{ message: 'waits for an answer: Which port?' }]);
});
