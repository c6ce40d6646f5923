import { describe, expect, it } from 'vitest';
import { type CheckpointId, checkpoints } from '../../src/signals/checkpoints.ts';
import { kinds } from '../../src/signals/kinds.ts';
import type { Consumer, Routing, RoutingContext } from '../../src/signals/mailbox.ts';
import { route, waitsFor } from '../../src/signals/routing.ts';
import { type PendingSignal, type Signal, signalTypeSchema } from '../../src/signals/signal.ts';

const pendingSignal = (signal: Partial<Signal> & Pick<Signal, 'type'>): PendingSignal => ({
  id: 'id',
  file: 'signal.yaml',
  signal: { target: 'ALL', message: 'm', ...signal },
});

const executor: Consumer = { agent: 'Executor', invocation: 'Executor-2', task: 'task-3' };
const reviewer: Consumer = { agent: 'Reviewer', invocation: 'Reviewer-1', task: 'task-3' };
const orchestrator: Consumer = { agent: 'Orchestrator', invocation: '1', task: null };

const running: RoutingContext = {
  iteration: 2,
  state: 'EXECUTING_BATCH',
  isForEnded: () => false,
  held: false,
  waitsForTime: false,
  cameBefore: () => false,
  gateOpen: false,
  heldByPerson: false,
  isForPerson: () => false,
  running: [{ agent: 'Executor', invocation: 'Executor-2', task: 'task-3' }],
  settled: [],
};
const idle: RoutingContext = { ...running, running: [] };
const held: RoutingContext = { ...running, held: true };
const gate: RoutingContext = { ...idle, state: 'KNOWLEDGE_APPROVAL', gateOpen: true };

interface Row {
  readonly says: string;
  readonly signal: Partial<Signal> & Pick<Signal, 'type'>;
  readonly consumer: Consumer;
  readonly at: CheckpointId;
  readonly context: RoutingContext;
  readonly gives: Routing;
}

const take: Routing = { kind: 'take' };
const share: Routing = { kind: 'share' };
const left = (waits: string): Routing => ({ kind: 'leave', waitsFor: waits });
const archived = (action: string): Routing => ({ kind: 'archive', action, outcome: 'handled' });

const analyst: Consumer = { ...executor, worker: 'analyst-2' };
const team: RoutingContext = {
  ...running,
  running: [{ agent: 'Executor', invocation: 'Executor-2', task: 'task-3', worker: 'analyst-2' }],
  left: ['builder-1'],
};
const toWorker = (worker: string): Row['signal'] => ({ type: 'STEER', target: 'Executor', worker });

const rows: readonly Row[] = [
  ...(['analyst-2', 'analyst'] as const).map(
    (worker): Row => ({
      says: `takes a message to the worker ${worker} at the worker analyst-2`,
      signal: toWorker(worker),
      consumer: analyst,
      at: 'Executor.0',
      context: team,
      gives: take,
    }),
  ),
  {
    says: 'leaves a message to another worker of the same role',
    signal: toWorker('analyst-1'),
    consumer: analyst,
    at: 'Executor.0',
    context: team,
    gives: left("waits for analyst-1's next task"),
  },
  {
    says: 'leaves a message to a role for a worker of it',
    signal: { ...toWorker('builder'), target: 'ALL' },
    consumer: analyst,
    at: 'Executor.0',
    context: team,
    gives: left('waits for the next builder'),
  },
  {
    says: 'leaves a message to a worker at an agent without a team',
    signal: toWorker('analyst-2'),
    consumer: executor,
    at: 'Executor.0',
    context: team,
    gives: left('will be read by analyst-2: it looks after every command or tool call'),
  },
  {
    says: 'archives a message to a worker that left',
    signal: toWorker('builder-1'),
    consumer: analyst,
    at: 'Executor.0',
    context: team,
    gives: { kind: 'archive', action: 'builder-1 left the team', outcome: 'undelivered' },
  },
  {
    says: 'takes a PAUSE to ALL at an agent',
    signal: { type: 'PAUSE' },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: take,
  },
  {
    says: 'takes a PAUSE to a reviewer at an executor: the hold is session-wide',
    signal: { type: 'PAUSE', target: 'Reviewer' },
    consumer: executor,
    at: 'Executor.0',
    context: running,
    gives: take,
  },
  {
    says: 'takes a PAUSE in the watch',
    signal: { type: 'PAUSE' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: running,
    gives: take,
  },
  {
    says: 'archives a second PAUSE',
    signal: { type: 'PAUSE' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: held,
    gives: archived('already held; no agent gets its message: send it as INFO'),
  },
  {
    says: 'archives a second PAUSE without words',
    signal: { type: 'PAUSE', message: '' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: held,
    gives: archived('already held'),
  },
  {
    says: 'takes a RESUME while held',
    signal: { type: 'RESUME' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: held,
    gives: take,
  },
  {
    says: 'archives a RESUME while not held',
    signal: { type: 'RESUME' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: running,
    gives: archived('not held; no agent gets its message: send it as INFO'),
  },
  {
    says: 'takes a RESUME while a used-up quota is waited for',
    signal: { type: 'RESUME' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: { ...running, waitsForTime: true },
    gives: take,
  },
  {
    says: 'asks whether an unproven RESUME of a wait was a person',
    signal: { type: 'RESUME', unproven: { type: 'RESUME' } },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: { ...running, waitsForTime: true },
    gives: { kind: 'unproven', waitsFor: 'unproven: did you send it?' },
  },
  {
    says: 'takes an ABORT while held',
    signal: { type: 'ABORT' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: held,
    gives: take,
  },
  {
    says: 'takes a CANCEL at whoever sees it first',
    signal: { type: 'CANCEL', task: 'task-9' },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: take,
  },
  {
    says: 'takes a SET at whoever sees it first',
    signal: { type: 'SET' },
    consumer: reviewer,
    at: 'Reviewer.0',
    context: running,
    gives: take,
  },

  {
    says: 'archives what is for a past iteration',
    signal: { type: 'STEER', iteration: 1 },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: archived('ignored: for iteration 1'),
  },
  {
    says: 'leaves what is for a future iteration',
    signal: { type: 'PAUSE', iteration: 3 },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: left('waits for iteration 3'),
  },
  {
    says: 'takes what is for this iteration',
    signal: { type: 'PAUSE', iteration: 2 },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: take,
  },

  {
    says: 'leaves an APPROVE before the gate',
    signal: { type: 'APPROVE' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: running,
    gives: left('waits for the lessons from this session'),
  },
  {
    says: 'takes an APPROVE at the open gate',
    signal: { type: 'APPROVE' },
    consumer: orchestrator,
    at: 'Orchestrator.approval',
    context: gate,
    gives: take,
  },
  {
    says: 'takes a SKIP to the Librarian at the open gate',
    signal: { type: 'SKIP', target: 'Librarian' },
    consumer: orchestrator,
    at: 'Orchestrator.approval',
    context: gate,
    gives: take,
  },
  {
    says: 'leaves an APPROVE at an agent even while the gate is open',
    signal: { type: 'APPROVE' },
    consumer: executor,
    at: 'Executor.0',
    context: gate,
    gives: left('taken now'),
  },
  {
    says: 'archives an APPROVE of a past iteration',
    signal: { type: 'APPROVE', iteration: 1 },
    consumer: orchestrator,
    at: 'Orchestrator.approval',
    context: gate,
    gives: archived('ignored: for iteration 1'),
  },

  {
    says: 'shares a STEER to ALL with an agent',
    signal: { type: 'STEER' },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: share,
  },
  {
    says: 'shares an INFO to ALL with the orchestrator',
    signal: { type: 'INFO' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: running,
    gives: share,
  },
  {
    says: 'leaves a broadcast in the watch',
    signal: { type: 'INFO' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: running,
    gives: left('will be read by the agent on task-3 and later agents'),
  },
  {
    says: 'takes a STEER to its role',
    signal: { type: 'STEER', target: 'Executor' },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: take,
  },
  {
    says: 'leaves a STEER to another role',
    signal: { type: 'STEER', target: 'Reviewer' },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: left('waits for the next Reviewer'),
  },
  {
    says: 'leaves a STEER to a role at the orchestrator',
    signal: { type: 'STEER', target: 'Executor' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: running,
    gives: left('will be read by the agent on task-3: it looks after every command or tool call'),
  },
  {
    says: 'takes a STEER to the orchestrator at a boundary',
    signal: { type: 'STEER', target: 'Orchestrator' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: running,
    gives: take,
  },
  {
    says: 'leaves a STEER to the orchestrator in the watch',
    signal: { type: 'STEER', target: 'Orchestrator' },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: running,
    gives: left('will be read within a second, for later agents'),
  },
  {
    says: 'takes a STEER to its task',
    signal: { type: 'STEER', target: 'Executor', task: 'task-3' },
    consumer: executor,
    at: 'Executor.0',
    context: running,
    gives: take,
  },
  {
    says: 'leaves a STEER to another task',
    signal: { type: 'STEER', target: 'Executor', task: 'task-4' },
    consumer: executor,
    at: 'Executor.0',
    context: running,
    gives: left('waits for the next agent on task-4'),
  },
  {
    says: 'takes a STEER to ALL of its task, alone',
    signal: { type: 'STEER', task: 'task-3' },
    consumer: reviewer,
    at: 'Reviewer.0',
    context: running,
    gives: take,
  },
  {
    says: 'leaves a STEER to ALL of a task at the orchestrator',
    signal: { type: 'STEER', task: 'task-4' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: running,
    gives: left('waits for the next agent on task-4'),
  },
  {
    says: 'archives a STEER to a task that will not run again',
    signal: { type: 'STEER', target: 'Executor', task: 'task-1' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: { ...running, settled: ['task-1'] },
    gives: { kind: 'archive', action: 'task-1 will not run again', outcome: 'undelivered' },
  },

  {
    says: 'leaves an INFO while held',
    signal: { type: 'INFO' },
    consumer: executor,
    at: 'Executor.3.5',
    context: held,
    gives: left('will be read when you resume'),
  },
  {
    says: 'leaves a STEER to the orchestrator while held',
    signal: { type: 'STEER', target: 'Orchestrator' },
    consumer: orchestrator,
    at: 'Orchestrator.boundary',
    context: held,
    gives: left('will be read when you resume'),
  },
  {
    says: 'ends the hold for a message that says resume',
    signal: { type: 'STEER', resume: true },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: held,
    gives: { kind: 'leave', waitsFor: 'ends the pause and is then read', endsHold: true },
  },
  {
    says: 'leaves a message that says resume and came before the hold',
    signal: { type: 'STEER', resume: true },
    consumer: orchestrator,
    at: 'Orchestrator.watch',
    context: { ...held, cameBefore: () => true },
    gives: left('will be read when you resume'),
  },
  {
    says: 'shares a message that says resume when nothing is held',
    signal: { type: 'STEER', resume: true },
    consumer: executor,
    at: 'Executor.3.5',
    context: running,
    gives: share,
  },
];

describe('route', () => {
  it.each(rows)('$says', ({ signal, consumer, at, context, gives }) => {
    expect(route(pendingSignal(signal), consumer, at, context)).toEqual(gives);
  });

  it('lets the watch take session-level signals and nothing else', () => {
    for (const context of [running, idle, gate])
      for (const type of signalTypeSchema.options) {
        if (type === 'RESUME') continue;
        const { category } = kinds[type];
        const { kind } = route(pendingSignal({ type }), orchestrator, 'Orchestrator.watch', context);
        expect(`${type} ${kind}`).toBe(`${type} ${category === 'session' ? 'take' : 'leave'}`);
      }
  });

  it('lets every other checkpoint take or share what the matrix says is for its agent', () => {
    for (const { id, agent } of checkpoints) {
      if (id === 'Orchestrator.watch') continue;
      const consumer: Consumer = { agent, invocation: `${agent}-1`, task: null };
      for (const type of ['INFO', 'STEER'] as const) {
        expect(route(pendingSignal({ type }), consumer, id, running).kind).toBe('share');
        expect(route(pendingSignal({ type, target: agent }), consumer, id, running).kind).toBe('take');
      }
      for (const type of ['PAUSE', 'ABORT'] as const)
        expect(route(pendingSignal({ type }), consumer, id, running).kind).toBe('take');
    }
  });
});

describe('waitsFor', () => {
  it.each<[string, Partial<Signal> & Pick<Signal, 'type'>, RoutingContext, string]>([
    ['a session-level signal', { type: 'ABORT' }, running, 'will be read within a second'],
    [
      'a STEER to a running executor',
      { type: 'STEER', target: 'Executor' },
      running,
      'will be read by the agent on task-3: it looks after every command or tool call',
    ],
    [
      'a STEER to a role that does not run',
      { type: 'STEER', target: 'Planner' },
      running,
      'waits for the next Planner',
    ],
    [
      'a STEER to a task that does not run',
      { type: 'STEER', target: 'Executor', task: 'task-3' },
      idle,
      'waits for the next agent on task-3',
    ],
    [
      'a STEER to a running questioner, whose modes have other checkpoints',
      { type: 'STEER', target: 'Questioner' },
      { ...idle, running: [{ agent: 'Questioner', invocation: 'Questioner-1', task: null }] },
      'will be read by the Questioner',
    ],
    ['a broadcast while nothing runs', { type: 'INFO' }, idle, 'will be read by later agents'],
    ['an APPROVE', { type: 'APPROVE' }, running, 'waits for the lessons from this session'],
    ['an INFO while held', { type: 'INFO' }, held, 'will be read when you resume'],
    ['what is for a past iteration', { type: 'INFO', iteration: 1 }, running, 'ignored: for iteration 1'],
  ])('says where %s will be read', (_, signal, context, words) => {
    expect(waitsFor(pendingSignal(signal), context)).toBe(words);
  });
});
