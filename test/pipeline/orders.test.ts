import { expect, test } from 'vitest';
import type { Brief } from '../../src/agents/port.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { ordersInForce } from '../../src/pipeline/orders.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedOutcome,
  failedReview,
  goodOutcome,
  type PipelineRun,
} from '../helpers/pipeline-run.ts';

const order = { id: 's1', kind: 'STEER', text: 'Use tabs', apply: 'restart' } as const;
const kept = { id: 's1', kind: 'STEER', text: 'Use tabs', inForce: true };

/** The agent of this brief takes the order. */
const taken = (
  { invocation, role }: Brief,
  message: Extract<EventBody, { type: 'signal.delivered' }>['message'] = order,
  broadcast = false,
): EventBody => ({
  type: 'signal.delivered',
  id: order.id,
  recipient: `${role}~${invocation}`,
  checkpoint: 'Executor.3.5',
  how: 'injected',
  message,
  broadcast,
});

const withdrawn: EventBody = {
  type: 'order.withdrawn',
  order: order.id,
  text: order.text,
  by: 'kim',
  signal: 's2',
};

/** What each invocation of the task got at its start: "IMPLEMENT 2: s1". */
const told = (run: PipelineRun): readonly string[] =>
  run
    .of('invocation.started')
    .filter(({ task }) => task === 'one')
    .map(({ mode, attempt, messages }) => `${mode} ${attempt}: ${messages.map(({ id }) => id).join(' ')}`);

type Answer = (brief: Brief) => readonly EventBody[];

/** Runs one task; `first` are the answers of its first invocation in each mode, later ones go well. A second task stays at work. */
const oneTask = (...first: readonly (readonly [Brief['mode'], Answer])[]) => {
  const answers = new Map(first);
  return createPipelineRun({
    tasks: [defineTask('one'), defineTask('two')],
    script: (brief) => {
      if (brief.task?.id === 'two') return null;
      const answer = answers.get(brief.mode);
      answers.delete(brief.mode);
      return answer?.(brief);
    },
  })
    .start()
    .work();
};

test('an order that an attempt took is in its review and in every later attempt, as one in force', () => {
  const run = oneTask(
    ['IMPLEMENT', (brief) => [taken(brief), ended(brief, goodOutcome(brief))]],
    ['TASK_REVIEW', (brief) => [ended(brief, failedReview(brief, 'no tests'))]],
  );
  expect(told(run)).toEqual([
    'IMPLEMENT 1: ',
    'TASK_REVIEW 1: s1',
    'IMPLEMENT 2: s1 review:one:1',
    'TASK_REVIEW 2: s1 review:one:1',
  ]);
  const second = run
    .of('invocation.started')
    .find(({ mode, attempt }) => mode === 'IMPLEMENT' && attempt === 2);
  expect(second?.messages).toContainEqual(kept);
});

test('an order to a review is in the next attempt', () => {
  const run = oneTask([
    'TASK_REVIEW',
    (brief) => [taken(brief), ended(brief, failedReview(brief, 'no tests'))],
  ]);
  expect(told(run)).toContain('IMPLEMENT 2: s1 review:one:1');
});

test('an order is in force for a task that is done and reopened', () => {
  const run = oneTask(['IMPLEMENT', (brief) => [taken(brief), ended(brief, goodOutcome(brief))]]);
  expect(run.state().tasks.get('one')?.orders).toEqual([kept]);
  run.tell({ type: 'task.reset', task: 'one', reason: 'RETRY' });
  run.work();
  expect(told(run)).toContain('IMPLEMENT 2: s1');
});

test('the tasks that replace one take its orders over', () => {
  const run = oneTask(
    [
      'IMPLEMENT',
      (brief) => [
        taken(brief),
        ended(brief, failedOutcome(brief, 'blocked'), undefined, 'STEER scope change: build B'),
      ],
    ],
    ['REBREAKDOWN_TASK', (brief) => [ended(brief, goodOutcome(brief), [defineTask('one-a')])]],
  );
  expect(run.state().tasks.get('one-a')?.orders).toEqual([kept]);
});

test('an order taken back is in no later attempt, and an agent at work is told', () => {
  let attempts = 0;
  const run = createPipelineRun({
    tasks: [defineTask('one')],
    script: (brief) => {
      if (brief.mode !== 'IMPLEMENT') return undefined;
      attempts += 1;
      if (attempts === 1) return [taken(brief), ended(brief, failedOutcome(brief))];
      return attempts === 2 ? null : undefined;
    },
  }).start();
  run.work();
  const [again] = run.open.values();
  if (again === undefined) throw new Error('no second attempt');
  expect(again.messages).toContainEqual(kept);
  run.tell(withdrawn);
  expect(run.state().tasks.get('one')?.orders).toEqual([]);
  expect(run.state().invocations.get(again.invocation)).toMatchObject({
    messages: [{ id: 'failed:one:1' }],
    takenBack: [{ id: 'withdrawn:s1', kind: 'INFO' }],
  });
  run.tell(ended(again, failedOutcome(again)));
  run.work();
  expect(told(run).filter((line) => line.startsWith('IMPLEMENT 3'))).toEqual(['IMPLEMENT 3: failed:one:2']);
});

test('an order to all agents is in force until it is taken back', () => {
  const run = oneTask([
    'IMPLEMENT',
    (brief) => [taken(brief, order, true), ended(brief, goodOutcome(brief))],
  ]);
  const { standing, tasks } = run.state();
  expect(standing.map(({ id }) => id)).toEqual(['s1']);
  expect(tasks.get('one')?.orders).toEqual([]);
  expect(ordersInForce(run.state(), { orders: [] }).map(({ id }) => id)).toEqual(['s1']);
  run.tell(withdrawn);
  expect(run.state().standing).toEqual([]);
});

test.each([
  ['an INFO', { id: 's1', kind: 'INFO', text: 'Tabs are nice' }],
  ['a message without a proven author', { ...order, unproven: true }],
] as const)('%s is no order', (_what, message) => {
  const run = oneTask(['IMPLEMENT', (brief) => [taken(brief, message), ended(brief, goodOutcome(brief))]]);
  expect(run.state().tasks.get('one')?.orders).toEqual([]);
});
