import { expect, test } from 'vitest';
import type { Brief } from '../../src/agents/port.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedOutcome,
  goodOutcome,
  type PipelineRun,
} from '../helpers/pipeline-run.ts';

const modesOf = (run: PipelineRun) => run.of('invocation.started').map((event) => event.mode);

/** Research that raises this many new questions in each cycle. */
const asking =
  (...questions: number[]) =>
  (brief: Brief): EventBody[] | undefined => {
    const outcome = goodOutcome(brief);
    if (brief.mode !== 'research' || outcome.role !== 'Questioner') return undefined;
    return [ended(brief, { ...outcome, questions_generated: questions.shift() ?? 0 })];
  };

test('planning brainstorms, researches and breaks down once when no new questions come', () => {
  const run = createPipelineRun({ tasks: [defineTask('one')] })
    .start()
    .finish();
  expect(modesOf(run).slice(0, 4)).toEqual(['INITIALIZE', 'brainstorm', 'research', 'TASK_BREAKDOWN']);
  expect(run.state().cycle).toBe(1);
});

test('new questions open another cycle, up to planning.max_cycles', () => {
  const run = createPipelineRun({ tasks: [defineTask('one')], script: asking(3, 5, 7) })
    .start()
    .finish();
  expect(modesOf(run).slice(1, 6)).toEqual([
    'brainstorm',
    'research',
    'brainstorm',
    'research',
    'TASK_BREAKDOWN',
  ]);
  expect(
    run
      .of('invocation.started')
      .map((event) => event.cycle)
      .slice(1, 5),
  ).toEqual([1, 1, 2, 2]);
});

test('max_cycles 0 goes straight to the breakdown and says so', () => {
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    settings: (old) => ({ ...old, planning: { max_cycles: 0 } }),
  })
    .start()
    .finish();
  expect(modesOf(run).slice(0, 2)).toEqual(['INITIALIZE', 'TASK_BREAKDOWN']);
  expect(run.state().planItems.get('plan-research')).toEqual({
    mark: 'cancelled',
    note: 'planning.max_cycles is 0',
  });
});

test('a cycle in the plan is refused with its members named', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a', { blockedBy: ['b'] }), defineTask('b', { blockedBy: ['a'] })],
  })
    .start()
    .finish();
  expect(run.end()).toMatchObject({
    status: 'blocked',
    reason: 'Planner TASK_BREAKDOWN failed 5 times: tasks wait for each other in a cycle: a → b → a',
  });
  expect(run.state().tasks.size).toBe(0);
});

test('an edge to a task that does not exist is refused', () => {
  const run = createPipelineRun({ tasks: [defineTask('a', { blockedBy: ['ghost'] })] })
    .start()
    .finish();
  expect(run.end()?.reason).toContain('a is blocked by ghost, which does not exist');
});

test('a plan without tasks is no plan', () => {
  const run = createPipelineRun({ tasks: [] }).start().finish();
  expect(run.end()?.reason).toContain('the plan has no tasks');
});

test('an escalated planning step is done again with the message as guidance', () => {
  let first = true;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      if (brief.mode !== 'brainstorm' || !first) return undefined;
      first = false;
      return [ended(brief, failedOutcome(brief, 'blocked'), undefined, 'STEER scope change: a library')];
    },
  })
    .start()
    .finish();
  const second = run.of('invocation.started').filter((event) => event.mode === 'brainstorm')[1];
  expect(second?.messages).toMatchObject([{ kind: 'STEER', text: 'STEER scope change: a library' }]);
});

const gated = (): PipelineRun =>
  createPipelineRun({
    tasks: [defineTask('one')],
    attended: true,
    settings: (old) => ({ ...old, gates: ['plan'] }),
  })
    .start()
    .work();

test('the plan gate waits for a person and survives a restart', () => {
  const run = gated();
  expect(run.state().gate).toMatchObject({ gate: 'plan', deadlineMs: null });
  run.crash().work();
  expect(run.of('gate.opened')).toHaveLength(1);
  run.tell({ type: 'gate.decided', gate: 'plan', decision: 'approve', by: 'kim', signal: null });
  expect(run.state().state).toBe('EXECUTING_BATCH');
});

test('a plan that is sent back is broken down again with what the person said', () => {
  const run = gated();
  run.tell({
    type: 'gate.decided',
    gate: 'plan',
    decision: 'skip',
    by: 'kim',
    signal: null,
    message: 'too coarse',
  });
  const last = run.of('invocation.started').at(-1);
  expect(last).toMatchObject({ mode: 'TASK_BREAKDOWN', messages: [{ text: 'too coarse', from: 'kim' }] });
  run.work();
  expect(run.state().gate).toMatchObject({ gate: 'plan' });
});

test('words at the plan gate are for Planners only, no order to who carries the plan out or reviews it', () => {
  const run = gated();
  const decide = { type: 'gate.decided', gate: 'plan', by: 'kim', signal: null } as const;
  run.tell({ ...decide, decision: 'skip', message: 'no tests in this plan' });
  run.work();
  run.tell({ ...decide, decision: 'approve' });
  run.finish();
  const heard = run
    .of('invocation.started')
    .filter(({ messages }) => messages.some(({ text }) => text === 'no tests in this plan'));
  expect(heard.map(({ mode }) => mode)).toEqual(['TASK_BREAKDOWN']);
  expect(run.of('invocation.started').some(({ mode }) => mode === 'TASK_REVIEW')).toBe(true);
});

test.each([
  ['a person makes the plan again', {}, ['skip']],
  ['nobody known', { unproven: { type: 'STEER' } }, []],
  ['an earlier iteration', { iteration: 0 }, []],
] as const)('at the plan gate, a STEER for the Planner from %s', (_who, more, decisions) => {
  const run = gated();
  run.tell({
    type: 'signal.pending',
    pending: {
      id: 's',
      file: 's.yaml',
      signal: { type: 'STEER', target: 'Planner', message: 'Use bar', created_at: '', ...more },
    },
    waits_for: 'waits for the next Planner',
  });
  expect(run.of('gate.decided').map(({ decision }) => decision)).toEqual(decisions);
});

test('abort at the plan gate ends the session', () => {
  const run = gated();
  run.tell({ type: 'gate.decided', gate: 'plan', decision: 'abort', by: 'kim', signal: 's' });
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
});
