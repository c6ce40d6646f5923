import { describe, expect, test } from 'vitest';
import { decide } from '../../src/pipeline/decide.ts';
import { type Event, type EventBody, eventBodySchema } from '../../src/pipeline/event.ts';
import { evolve, evolveAll } from '../../src/pipeline/evolve.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import { next } from '../../src/pipeline/next.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { enter } from '../../src/pipeline/step.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

const stamp = (body: EventBody, seq: number): Event => ({
  ...body,
  seq,
  at: new Date(Date.UTC(2026, 1, 15, 4, 0, seq)).toISOString(),
});

const fold = (...bodies: EventBody[]): SessionState =>
  evolveAll(
    null,
    bodies.map((body, index) => stamp(body, index + 1)),
  );

/** States of every kind: before anything, in the middle, waiting, over. */
const states: Readonly<Record<string, SessionState | null>> = {
  'before the first event': null,
  empty: initialState(),
  'while an Executor works': createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  })
    .start()
    .work()
    .state(),
  'at the knowledge gate': createPipelineRun({ tasks: [defineTask('one')], attended: true })
    .start()
    .work()
    .state(),
  complete: createPipelineRun({ tasks: [defineTask('one')] })
    .start()
    .finish()
    .state(),
};

describe.each(Object.entries(states))('%s', (_name, state) => {
  test.each(Object.values(eventSamples))(
    '$type is folded, decided and followed up, and the old state stays',
    (body) => {
      const before = structuredClone(state);
      const event = stamp(body, 900);
      const after = evolve(state, event);
      expect(after).toMatchObject({ seq: 900, at: event.at });
      expect(evolveAll(state, [event])).toEqual(after);
      const decision = decide(state, event);
      expect(decision.state).toEqual(after);
      expect(Array.isArray(decision.effects)).toBe(true);
      expect(() => next(after)).not.toThrow();
      expect(state).toEqual(before);
    },
  );
});

test.each(Object.values(eventSamples))('$type survives JSON and its schema', (body) => {
  expect(eventBodySchema().parse(JSON.parse(JSON.stringify(body)))).toEqual(body);
});

test('there is a sample of every type of the schema', () => {
  const types = eventBodySchema().options.map((option) => option.shape.type.value);
  expect(Object.keys(eventSamples).sort()).toEqual([...types].sort());
});

test('a fold of many events leaves the state it began with as it was', () => {
  const begin = fold(eventSamples['session.created'], eventSamples['tasks.defined']);
  const copy = structuredClone(begin);
  evolveAll(begin, [stamp(eventSamples['task.started'], 3), stamp(eventSamples['task.submitted'], 4)]);
  expect(begin).toEqual(copy);
});

test('settings that do not fit change nothing; a dotted key that fits changes one value', () => {
  const changed = fold(eventSamples['session.created'], {
    type: 'settings.changed',
    set: { 'concurrency.max_parallel_executors': 7, 'timeouts.stall': 'many', 'no.such.key': 1 },
  });
  expect(changed.settings.concurrency.max_parallel_executors).toBe(7);
  expect(changed.settings.timeouts.stall).toBe(300_000);
});

test('a person who writes that a task is in progress does not make anybody work on it', () => {
  const state = fold(eventSamples['session.created'], eventSamples['tasks.defined'], {
    type: 'task.edited-by-hand',
    task: 'one',
    from: 'open',
    to: 'running',
  });
  expect(state.tasks.get('one')).toMatchObject({ status: 'open', reason: 'edited by hand' });
});

const merged = fold(
  eventSamples['session.created'],
  eventSamples['tasks.defined'],
  eventSamples['task.submitted'],
  eventSamples['attempt.merged'],
);

test('a merge stands when a person ticks its task, and is made again after any other edit', () => {
  const trainAfter = (to: 'done' | 'failed') =>
    evolve(merged, stamp({ type: 'task.edited-by-hand', task: 'one', from: 'review', to }, 900)).changes
      .train;
  expect(trainAfter('done')).toEqual([]);
  expect(trainAfter('failed')).toEqual([{ task: 'one', attempt: 1 }]);
});

test('work whose merge failed begins afresh, unless it is only to be verified alone', () => {
  const { 'merge.rejected': rejected } = eventSamples;
  const afreshAfter = (body: EventBody) => evolve(merged, stamp(body, 900)).tasks.get('one')?.afresh;
  expect(afreshAfter(rejected)).toBe(true);
  expect(afreshAfter({ ...rejected, alone: true })).toBe(false);
});

test('a session in which nobody works and nothing is asked waits for no person', () => {
  const state = fold(eventSamples['session.created'], eventSamples['session.started']);
  expect(state).toMatchObject({ running: true, waitingSince: null });
});

test('a state is entered with the reason for it', () => {
  expect(enter(initialState(), 'BATCHING', 'a task was reopened')).toMatchObject({
    state: 'BATCHING',
    reason: 'a task was reopened',
  });
  expect(enter(initialState(), 'BATCHING')).not.toHaveProperty('reason');
});

test('problems are kept, the newest two hundred', () => {
  const many = Array.from(
    { length: 250 },
    (_, index): EventBody => ({
      type: 'problem.found',
      fault: { code: 'odd', what: `number ${index}` },
    }),
  );
  const { problems } = fold(eventSamples['session.created'], ...many);
  expect(problems).toHaveLength(200);
  expect(problems.at(-1)?.what).toBe('number 249');
});

describe('the life of a signal', () => {
  const { 'signal.pending': pending, 'signal.claimed': claimed } = eventSamples;
  const { 'signal.delivered': delivered, 'signal.handled': handled } = eventSamples;
  const lifeAfter = (...bodies: EventBody[]) =>
    fold(eventSamples['session.created'], ...bodies).signals.get('s1');

  test('goes from pending over claimed and delivered to handled', () => {
    expect(lifeAfter(pending)).toMatchObject({ stage: 'pending', waitsFor: 'the next Executor' });
    expect(lifeAfter(pending, claimed)).toMatchObject({ stage: 'claimed', waitsFor: null });
    const last = lifeAfter(pending, claimed, delivered);
    expect(last).toMatchObject({ stage: 'delivered' });
    expect(last?.recipients.get('Executor-1')).toBe('context');
    expect(lifeAfter(pending, claimed, delivered, handled)).toMatchObject({
      stage: 'handled',
      action: 'adjust',
    });
  });

  test('is never taken back once it is over', () => {
    expect(lifeAfter(pending, handled, pending, delivered)).toMatchObject({ stage: 'handled' });
  });

  test('goes back to pending when its recipient died before it acted', () => {
    expect(lifeAfter(pending, claimed, pending)).toMatchObject({ stage: 'pending' });
  });

  test('is shown as queued while held, until RESUME', () => {
    const queued = [pending, eventSamples['hold.requested'], eventSamples['signal.queued']];
    expect(lifeAfter(...queued)).toMatchObject({ queued: true });
    expect(lifeAfter(...queued, eventSamples['hold.ended'])).toMatchObject({ queued: false });
  });

  test('a broadcast stands as guidance for later invocations, once per id', () => {
    const state = fold(eventSamples['session.created'], pending, delivered, {
      ...delivered,
      recipient: 'Orchestrator~1',
    });
    expect(state.standing).toEqual([{ id: 's1', kind: 'STEER', text: 'use bar' }]);
  });
});

test('what a person told an attempt that was lost is told to the next one', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  })
    .start()
    .work();
  const [invocation = ''] = run.open.keys();
  run.tell({ ...eventSamples['signal.delivered'], recipient: `Executor~${invocation}`, broadcast: false });
  run.crash();
  expect([...run.open.values()][0]?.messages).toEqual([
    { id: 's1', kind: 'STEER', text: 'use bar', inForce: true },
  ]);
});
