import { type CheckpointId, checkpointOf, loopOf } from './checkpoints.ts';
import { isMessage, kinds } from './kinds.ts';
import type { Consumer, Routing, RoutingContext } from './mailbox.ts';
import { needsPerson } from './proof.ts';
import { readerWords } from './reader-words.ts';
import { isWorker, type PendingSignal, type Signal } from './signal.ts';

/**
 * Decides the routing of one signal for one consumer at one checkpoint: src/signals/README.md, Types. Pure; the same
 * for every polling process.
 */
export const route = (
  pendingSignal: PendingSignal,
  consumer: Consumer,
  checkpoint: CheckpointId,
  context: RoutingContext,
): Routing => {
  const { signal } = pendingSignal;
  const { iteration } = signal;
  if (iteration !== undefined && iteration < context.iteration)
    return { kind: 'archive', action: `ignored: for iteration ${iteration}`, outcome: 'handled' };
  const leave: Routing = { kind: 'leave', waitsFor: waitsFor(pendingSignal, context) };
  if (iteration !== undefined && iteration > context.iteration) return leave;
  if (needsPerson(signal, context)) return { kind: 'unproven', waitsFor: unprovenWords };
  switch (kinds[signal.type].category) {
    case 'session':
      return routeSession(signal, context);
    case 'gate':
      return checkpoint === 'Orchestrator.approval' && context.gateOpen ? take : leave;
    case 'universal':
      return routeMessage(pendingSignal, consumer, checkpoint, context, leave);
  }
};

const take: Routing = { kind: 'take' };

/** The state of a file that decides and that nobody is known to have written. */
export const unprovenWords = 'unproven: did you send it?';

/** The first of the session's pollers to see it takes it, whatever its target. */
const routeSession = (signal: Signal, context: RoutingContext): Routing => {
  if (signal.type === 'RESUME' && !context.held && !context.waitsForTime)
    return { kind: 'archive', action: `not held${unheard(signal)}`, outcome: 'handled' };
  if (signal.type === 'PAUSE' && context.held)
    return { kind: 'archive', action: `already held${unheard(signal)}`, outcome: 'handled' };
  return take;
};

/** A pause hands on only the words of the signals that began and ended it. */
const unheard = ({ message }: Signal): string =>
  message?.trim() ? '; no agent gets its message: send it as INFO' : '';

/** STEER and INFO. They queue during a hold. `resume: true` ends the hold first, then they are delivered like the others. */
const routeMessage = (
  pendingSignal: PendingSignal,
  consumer: Consumer,
  checkpoint: CheckpointId,
  context: RoutingContext,
  leave: Extract<Routing, { kind: 'leave' }>,
): Routing => {
  const { signal } = pendingSignal;
  if (context.isForEnded(pendingSignal.id)) return leave;
  if (context.held) return endsHold(pendingSignal, context) ? { ...leave, endsHold: true } : leave;
  if (signal.target !== 'Orchestrator' && signal.task !== undefined && context.settled.includes(signal.task))
    return { kind: 'archive', action: `${signal.task} will not run again`, outcome: 'undelivered' };
  if (signal.worker !== undefined && context.left?.includes(signal.worker))
    return { kind: 'archive', action: `${signal.worker} left the team`, outcome: 'undelivered' };
  if (checkpointOf(checkpoint).reactions[signal.type === 'STEER' ? 'STEER' : 'INFO'] === 'leave')
    return leave;
  if (consumer.standsIn === true) return leave;
  if (isBroadcast(signal)) return { kind: 'share' };
  return isFor(signal, consumer) ? take : leave;
};

/** A message may wait for its reader through many holds: it ends only the hold in which it arrived. */
const endsHold = ({ id, signal }: PendingSignal, context: RoutingContext): boolean =>
  signal.resume === true && !context.cameBefore(id);

/** A STEER or INFO to all: each recipient takes its part, the orchestrator archives (rule 8). With a task or a worker it is for one agent. */
export const isBroadcast = ({ type, target, task, worker }: Signal): boolean =>
  isMessage(type) && target === 'ALL' && task === undefined && worker === undefined;

/** Whether a STEER or INFO to one agent or task is for this one. The orchestrator works on no task. */
const isFor = (
  signal: Signal,
  { agent, task, worker = null }: Pick<Consumer, 'agent' | 'task' | 'worker'>,
): boolean => {
  if (signal.target === 'Orchestrator') return agent === 'Orchestrator';
  if (agent === 'Orchestrator') return false;
  if (signal.target !== 'ALL' && signal.target !== agent) return false;
  if (signal.worker !== undefined && !isWorker(signal.worker, worker)) return false;
  return signal.task === undefined || signal.task === task;
};

/** Of a signal that nothing keeps waiting. */
export const takenNow = 'taken now';

/** Describes where and when a pending signal will be read: "waits for the next agent on task-3". */
export const waitsFor = (pendingSignal: PendingSignal, context: RoutingContext): string => {
  const { signal } = pendingSignal;
  const { iteration } = signal;
  if (iteration !== undefined && iteration < context.iteration) return `ignored: for iteration ${iteration}`;
  if (iteration !== undefined && iteration > context.iteration) return `waits for iteration ${iteration}`;
  if (needsPerson(signal, context)) return unprovenWords;
  switch (kinds[signal.type].category) {
    case 'session':
      return 'will be read within a second';
    case 'gate':
      return context.gateOpen ? takenNow : 'waits for the lessons from this session';
    case 'universal':
      return messageWaitsFor(pendingSignal, context);
  }
};

const messageWaitsFor = (pendingSignal: PendingSignal, context: RoutingContext): string => {
  const { signal } = pendingSignal;
  if (context.held)
    return endsHold(pendingSignal, context)
      ? 'ends the pause and is then read'
      : 'will be read when you resume';
  const takers = context.running.filter((each) => isBroadcast(signal) || isFor(signal, each));
  if (isBroadcast(signal)) {
    const names = takers.map(reader);
    return `will be read by ${names.length === 0 ? '' : `${names.join(', ')} and `}later agents`;
  }
  const [first] = takers;
  if (first?.gets && isMessage(signal.type))
    return `reaches ${reader(first)} ${first.gets[signal.now === true ? 'now' : signal.type]}`;
  if (first) return `will be read by ${reader(first)}${loopWords(first)}`;
  if (signal.target === 'Orchestrator') return 'will be read within a second, for later agents';
  const agent =
    signal.worker ?? (signal.target === 'ALL' || signal.target === 'Executor' ? 'agent' : signal.target);
  // Of a role any worker reads it, of a name only this one.
  if (signal.worker?.includes('-') && signal.task === undefined) return `waits for ${agent}'s next task`;
  return `waits for the next ${agent}${signal.task === undefined ? '' : ` on ${signal.task}`}`;
};

const reader = ({ invocation, task, worker }: RoutingContext['running'][number]): string =>
  worker ?? readerWords(invocation, task);

const loopWords = ({ agent, mode }: RoutingContext['running'][number]): string => {
  const loop = loopOf(agent, mode);
  return loop === null ? '' : `: it looks ${loop.where}`;
};
