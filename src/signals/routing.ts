import { type CheckpointId, checkpointOf, checkpointsOf } from './checkpoints.ts';
import { kindOf } from './kinds/index.ts';
import type { Consumer, Routing, RoutingContext } from './mailbox.ts';
import type { Agent, Letter, Signal } from './signal.ts';

/**
 * What one consumer does with one letter at one checkpoint: signals.md, column "consumer" of Types and rules 5, 8 and 9. Pure; the same for every
 * process that polls.
 */
export const route = (
  letter: Letter,
  consumer: Consumer,
  checkpoint: CheckpointId,
  context: RoutingContext,
): Routing => {
  const { signal } = letter;
  const { iteration } = signal;
  if (iteration !== undefined && iteration < context.iteration)
    return { kind: 'archive', action: `ignored: for iteration ${iteration}` };
  const leave: Routing = { kind: 'leave', waitsFor: waitsFor(letter, context) };
  if (iteration !== undefined && iteration > context.iteration) return leave;
  switch (kindOf(signal.type).category) {
    case 'session':
      return routeSession(signal, context);
    case 'gate':
      return checkpoint === 'Orchestrator.approval' && context.gateOpen ? take : leave;
    case 'universal':
      return routeMessage(letter, consumer, checkpoint, context, leave);
  }
};

const take: Routing = { kind: 'take' };

/** The first of the session's pollers to see it takes it, wherever it is addressed to. */
const routeSession = (signal: Signal, context: RoutingContext): Routing => {
  if (signal.type === 'RESUME' && !context.held) return { kind: 'archive', action: 'not held' };
  if (signal.type === 'PAUSE' && context.held) return { kind: 'archive', action: 'already held' };
  return take;
};

/** STEER and INFO. While held they queue; `resume: true` ends the hold first, then they are delivered like the others. */
const routeMessage = (
  letter: Letter,
  consumer: Consumer,
  checkpoint: CheckpointId,
  context: RoutingContext,
  leave: Extract<Routing, { kind: 'leave' }>,
): Routing => {
  const { signal } = letter;
  if (context.held) return endsHold(letter, context) ? { ...leave, endsHold: true } : leave;
  if (signal.target !== 'Orchestrator' && signal.task !== undefined && context.settled.includes(signal.task))
    return { kind: 'archive', action: `undelivered: ${signal.task} will not run again`, undelivered: true };
  if (checkpointOf(checkpoint).reactions[signal.type === 'STEER' ? 'STEER' : 'INFO'] === 'leave')
    return leave;
  if (isBroadcast(signal)) return { kind: 'share' };
  return isFor(signal, consumer) ? take : leave;
};

/** A message may wait for its reader through many holds: it ends the one in which it came, and no later one. */
const endsHold = ({ id, signal }: Letter, context: RoutingContext): boolean =>
  signal.resume === true && !context.cameBefore(id);

/** A STEER or INFO to everybody: each recipient takes its part, the orchestrator archives (rule 8). With a task it is for one agent. */
export const isBroadcast = (signal: Signal): boolean =>
  (signal.type === 'STEER' || signal.type === 'INFO') && signal.target === 'ALL' && signal.task === undefined;

/** Whether a STEER or INFO to one agent or task is for this one. The orchestrator works on no task. */
const isFor = (
  signal: Signal,
  { agent, task }: { readonly agent: Agent; readonly task: string | null },
): boolean => {
  if (signal.target === 'Orchestrator') return agent === 'Orchestrator';
  if (agent === 'Orchestrator') return false;
  if (signal.target !== 'ALL' && signal.target !== agent) return false;
  return signal.task === undefined || signal.task === task;
};

/** Where and when a pending signal will be read, in words: "waits for the next Executor of task-3". */
export const waitsFor = (letter: Letter, context: RoutingContext): string => {
  const { signal } = letter;
  const { iteration } = signal;
  if (iteration !== undefined && iteration < context.iteration) return `ignored: for iteration ${iteration}`;
  if (iteration !== undefined && iteration > context.iteration) return `waits for iteration ${iteration}`;
  switch (kindOf(signal.type).category) {
    case 'session':
      return 'read by the first agent that looks, within a second';
    case 'gate':
      return context.gateOpen ? 'read now, at the knowledge gate' : 'waits for the knowledge gate';
    case 'universal':
      return messageWaitsFor(letter, context);
  }
};

const messageWaitsFor = (letter: Letter, context: RoutingContext): string => {
  const { signal } = letter;
  if (context.held)
    return endsHold(letter, context) ? 'ends the hold, then delivered' : 'while held: delivered on RESUME';
  const takers = context.running.filter((each) => isBroadcast(signal) || isFor(signal, each));
  if (isBroadcast(signal)) {
    const names = ['the orchestrator', ...takers.map((each) => each.invocation)];
    return `read by ${names.join(', ')}, each at its next checkpoint`;
  }
  const [first] = takers;
  if (first) return `read at the next checkpoint of ${first.invocation}${loopWords(first.agent)}`;
  if (signal.target === 'Orchestrator')
    return `read at the next checkpoint of the orchestrator (${checkpointOf('Orchestrator.boundary').where})`;
  const agent = signal.target === 'ALL' ? 'agent' : signal.target;
  return `waits for the next ${agent}${signal.task === undefined ? '' : ` of ${signal.task}`}`;
};

/** The checkpoint that comes again and again, where the agent's modes agree on one. */
const loopWords = (agent: Agent): string => {
  const all = checkpointsOf(agent);
  const last = all.at(-1);
  return last && all.every((each) => each.mode === last.mode) && agent !== 'Orchestrator'
    ? ` (${last.where})`
    : '';
};
