import type { Cancel } from '../base/clock.ts';
import { type Fault, toFault } from '../base/fault.ts';
import { checkpointBefore } from '../pipeline/checkpoint-before.ts';
import { decide } from '../pipeline/decide.ts';
import type { Effect } from '../pipeline/effect.ts';
import { type Event, type EventBody, ephemeralTypes } from '../pipeline/event.ts';
import { evolve } from '../pipeline/evolve.ts';
import { next } from '../pipeline/next.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import { createJournalQueue, type JournalQueue, type JournalQueuePorts } from './journal-queue.ts';
import { decidesCommands, recordedBefore } from './recorded-before.ts';

/**
 * The one queue of a session: commits a fact, commits what the pipeline derives until it rests, puts the journal on disk, performs
 * the effects (src/README.md; src/engine/README.md, Durable writes). Everything that changes the session passes through `run`.
 */
export interface Loop {
  /** The state after the last commit, with every text as it was said: agents are asked from it. Throws before `session.created`. */
  state(): SessionState;
  /** The same without secrets, as the journal and the observers know it: for whatever is written or shown. */
  shown(): SessionState;
  begun(): boolean;
  /**
   * Stamps the fact, appends it to the journal, folds it, notifies the observers. `false`: the engine has stopped
   * and nothing was recorded. Never throws: a journal that cannot be written stops the session (`LoopCalls.broken`).
   */
  commit(body: EventBody): boolean;
  /** Runs `work`, then everything that follows from it, until the pipeline rests. Inside another `run` it only runs the work. */
  run<T>(work: () => T): T;
  /** `run` later, on the injected clock. An error stops the session, never the program. */
  later(ms: number, work: () => void): Cancel;
  /** Folds a fact and notifies the observers without recording it: the journal is no longer ours. */
  announce(body: EventBody): void;
  /** Flushes the journal to disk, before anything outside may depend on it. False when that failed or nothing is recorded any more. */
  flush(): boolean;
  /** Hands lines to the operating system. Enough where a power loss would undo the effect as well, such as a started process. */
  write(): void;
  /** Still records facts, but derives nothing new from them: the engine is stopping. */
  freeze(): void;
  /** Flushes, then records nothing any more. */
  close(): void;
  /** Closes without flushing: another program owns the session. */
  abandon(): void;
  readonly isOpen: () => boolean;
  /** Sets what the loop calls, before the first fact. */
  join(calls: LoopCalls): void;
  /** Stops a session that cannot continue. */
  fail(fault: Fault): void;
}

export type Observer = (event: Event, state: SessionState) => void;

interface LoopPorts extends Omit<JournalQueuePorts, 'broken'> {
  /** The state from the journal, or null for a new session. */
  readonly state: SessionState | null;
  /** Called after each commit. Observers only read (src/README.md, invariant 4); one that throws is removed. */
  readonly observers: Set<Observer>;
  /** Removes secrets from facts for the journal and the observers. */
  readonly clean: (body: EventBody) => EventBody;
}

/** The parts of the engine that the loop calls. They are made over the loop. */
interface LoopCalls {
  /** Sees every event before the observers do. */
  readonly note: (event: Event) => void;
  /** The orchestrator's checkpoint: looks into the mailbox and acts on signals. */
  readonly poll: (checkpoint: CheckpointId) => void;
  /** Called whenever the pipeline rests. Returns true when it committed something. */
  readonly rest: () => boolean;
  readonly perform: (effect: Effect) => void;
  /** Called before the session stops: records what still has to be, because nothing is recorded later. */
  readonly ending: () => void;
  /** The session cannot continue. */
  readonly broken: (fault: Fault) => void;
}

/** Limit of facts that may follow from one. Beyond it the pipeline contradicts itself, and stopping with a sentence beats spinning. */
const mostSteps = 100_000;

/** What the functions of one loop share. */
interface LoopContext {
  readonly ports: LoopPorts;
  readonly journal: JournalQueue;
  calls: LoopCalls | null;
  state: SessionState | null;
  /** The same object as `state` until the first secret. */
  shown: SessionState | null;
  /** `frozen`: records facts and derives nothing from them. `closed`: records nothing. */
  phase: 'open' | 'frozen' | 'closed';
  /** Effects of facts that are committed and not yet performed. */
  effects: readonly Effect[];
  /** Inside a `run`. */
  busy: boolean;
}

export const createLoop = (ports: LoopPorts): Loop => {
  const fail = (fault: Fault): void => callsOf(loop).broken(fault);
  const journal = createJournalQueue({ ...ports, broken: fail });
  const { state } = ports;
  const loop: LoopContext = {
    ports,
    journal,
    calls: null,
    state,
    shown: state,
    phase: 'open',
    effects: [],
    busy: false,
  };
  return {
    state: () => begunIn(loop.state),
    shown: () => begunIn(loop.shown),
    begun: () => loop.state !== null,
    commit: (body) => commit(loop, body),
    run: (work) => run(loop, work),
    later: (ms, work) => later(loop, ms, work),
    flush: () => journal.flush() && isOpen(loop),
    write: journal.write,
    isOpen: () => isOpen(loop),
    join: (calls) => {
      loop.calls = calls;
    },
    fail,
    announce: (body) => announce(loop, body),
    freeze: () => {
      if (loop.phase === 'open') loop.phase = 'frozen';
    },
    close: () => {
      journal.flush();
      loop.phase = 'closed';
    },
    abandon: () => {
      loop.phase = 'closed';
    },
  };
};

const begunIn = (state: SessionState | null): SessionState => {
  if (!state) throw new Error('the session has not begun');
  return state;
};

const callsOf = ({ calls }: LoopContext): LoopCalls => {
  if (calls === null) throw new Error('the parts of the engine have not joined its loop');
  return calls;
};

const isOpen = ({ phase }: LoopContext): boolean => phase !== 'closed';

const commit = (loop: LoopContext, body: EventBody): boolean => {
  if (!isOpen(loop)) return false;
  const { ports, journal, state } = loop;
  const at = new Date(ports.clock.now()).toISOString();
  if (ephemeralTypes.has(body.type)) {
    if (loop.shown) tell(loop, { ...body, seq: loop.shown.seq, at }, loop.shown);
    return true;
  }
  const { told, kept } = stamp(loop, body, at);
  if (!journal.append(told)) return false;
  const decision = decide(state, kept);
  const shown = fold(loop, { told, kept }, decision.state);
  if (decision.effects.length > 0) loop.effects = [...loop.effects, ...decision.effects];
  callsOf(loop).note(told);
  if (decidesCommands.has(told.type)) journal.write();
  tell(loop, told, shown);
  return true;
};

/** Takes the new state, and folds the fact without its secrets into the other one, where they differ. */
const fold = (loop: LoopContext, { told, kept }: Stamped, state: SessionState): SessionState => {
  const isSame = loop.shown === loop.state && told === kept;
  loop.shown = isSame ? state : evolve(loop.shown, told);
  loop.state = state;
  return loop.shown;
};

const announce = (loop: LoopContext, body: EventBody): void => {
  const { told, kept } = stamp(loop, body, new Date(loop.ports.clock.now()).toISOString());
  tell(loop, told, fold(loop, { told, kept }, evolve(loop.state, kept)));
};

/** The fact for journal and observers (`told`), and as this engine keeps it (`kept`). */
const stamp = ({ ports, state }: LoopContext, body: EventBody, at: string): Stamped => {
  const seq = (state?.seq ?? 0) + 1;
  const told = ports.clean(body);
  const event = { ...told, seq, at };
  return { told: event, kept: told === body ? event : { ...body, seq, at } };
};

interface Stamped {
  readonly told: Event;
  readonly kept: Event;
}

const tell = (loop: LoopContext, event: Event, told: SessionState): void => {
  const { observers } = loop.ports;
  for (const observer of observers) {
    try {
      observer(event, told);
    } catch (error) {
      observers.delete(observer);
      const fault = toFault(error, 'a reader of events');
      later(loop, 0, () => commit(loop, { type: 'problem.found', fault }));
    }
  }
};

const run = <T>(loop: LoopContext, work: () => T): T => {
  if (loop.busy) return work();
  loop.busy = true;
  try {
    const value = work();
    drain(loop);
    return value;
  } catch (error) {
    callsOf(loop).broken(toFault(error));
    throw error;
  } finally {
    loop.busy = false;
  }
};

const later = (loop: LoopContext, ms: number, work: () => void): Cancel =>
  loop.ports.clock.after(ms, () => {
    if (!isOpen(loop)) return;
    try {
      run(loop, work);
    } catch {
      // `run` has already stopped the session with this error.
    }
  });

/** Commits what follows and performs the effects, in turn, until the pipeline rests. */
const drain = (loop: LoopContext): void => {
  const { journal } = loop;
  const calls = callsOf(loop);
  for (;;) {
    advance(loop);
    const batch = loop.effects;
    if (batch.length === 0) {
      if (loop.phase === 'open' && calls.rest()) continue;
      break;
    }
    loop.effects = [];
    const needs = batch.map(recordedBefore);
    if (needs.includes('flushed')) journal.flush();
    else if (needs.includes('written')) journal.rest();
    // The flush may have stopped the session. Then no agent gets new work.
    for (const effect of batch)
      if (loop.phase === 'open' || (isOpen(loop) && effect.type !== 'invoke-agent')) calls.perform(effect);
  }
  journal.rest();
};

/** Commits what follows from the state. Before some facts the orchestrator looks into the mailbox, and `next` is asked again. */
const advance = (loop: LoopContext): void => {
  let polled: CheckpointId | null = null;
  for (let step = 0; loop.phase === 'open' && loop.state; step += 1) {
    if (step > mostSteps) throw new Error('the pipeline does not come to rest');
    const body = next(loop.state);
    if (!body) return;
    const checkpoint = checkpointBefore(loop.state, body);
    if (checkpoint !== null && checkpoint !== polled) {
      polled = checkpoint;
      callsOf(loop).poll(checkpoint);
      continue;
    }
    polled = null;
    if (body.type === 'session.stopped') {
      // A follower of the session reads no further: undelivered messages are told first.
      if (loop.effects.some(({ type }) => type === 'sweep-signals')) return;
      callsOf(loop).ending();
    }
    commit(loop, body);
  }
};
