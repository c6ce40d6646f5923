import type { Cancel } from '../base/clock.ts';
import { toFault } from '../base/fault.ts';
import { checkpointBefore } from '../pipeline/checkpoint-before.ts';
import { decide } from '../pipeline/decide.ts';
import type { Effect } from '../pipeline/effect.ts';
import { type Event, type EventBody, ephemeralTypes } from '../pipeline/event.ts';
import { next } from '../pipeline/next.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import { type BookPorts, createBook } from './book.ts';
import type { Cleaned } from './clean.ts';

/**
 * The one queue of a session: commit a fact, let the pipeline say what follows until nothing does, put the journal on disk, perform
 * the effects (architecture.md, the drawing; engine.md, Durability). Everything that changes the session goes through `run`.
 */
export interface Loop {
  /** The state after the last commit; throws before `session.created`. */
  state(): SessionState;
  begun(): boolean;
  /**
   * Stamps the fact, appends it to the journal, folds it, tells the observers. `false`: the engine has stopped, nothing was recorded.
   * Never throws: a journal that cannot be written stops the session (`LoopPorts.broken`).
   */
  commit(body: EventBody): boolean;
  /** Does `work`, then everything that follows from it, to rest. Inside another `run` it only does the work. */
  run<T>(work: () => T): T;
  /** `run` later, on the injected clock; what it throws stops the session, never the program. */
  later(ms: number, work: () => void): Cancel;
  /** Folds a fact and tells the observers, without recording it: for a journal that is not ours any more. */
  announce(body: EventBody): void;
  /** Puts the journal on disk now: before anything outside may depend on what it says. False when it is not there, or nothing is recorded any more. */
  flush(): boolean;
  /** Hands it to the operating system: enough for what a power loss would undo as well, such as a process. */
  write(): void;
  /** From here on facts are recorded, but nothing new follows from them: the engine is being stopped. */
  freeze(): void;
  /** From here on nothing is recorded. */
  close(): void;
  /** The same at once, nothing written any more: the session is somebody else's. */
  abandon(): void;
  readonly isOpen: () => boolean;
}

export type Observer = (event: Event, state: SessionState) => void;

export interface LoopPorts extends BookPorts {
  /** What the journal told, or null for a new session. */
  readonly state: SessionState | null;
  /** Told after the state is committed; they only read (architecture.md, invariant 4). One that throws is dropped. */
  readonly observers: Set<Observer>;
  /** Takes secrets out of what is journaled and told. */
  readonly clean: (body: EventBody) => Cleaned;
  /** Sees every event before the observers do. */
  readonly note: (event: Event) => void;
  /** The orchestrator's checkpoint: looks into the mailbox and acts. */
  readonly poll: (checkpoint: CheckpointId) => void;
  /** What is to be looked at whenever the pipeline rests; true when something was committed. */
  readonly rest: () => boolean;
  readonly perform: (effect: Effect) => void;
}

/** Facts that may follow from one: beyond this the pipeline contradicts itself, and a stop with a sentence beats a spin. */
const mostSteps = 100_000;

/**
 * How far the reason of an effect has to be recorded before it is done. Nothing but ourselves sees a timer; snapshots, and whoever archives a message that
 * nobody can take any more, see to it when their moment comes.
 * An agent at work is gone with the power as well: the operating system is enough, and the disk follows within 100 ms. Whatever else changes outside stays.
 */
const recordedBefore = (effect: Effect): 'nowhere' | 'written' | 'flushed' => {
  if (effect.type === 'arm-timer' || effect.type === 'disarm-timer') return 'nowhere';
  if (effect.type === 'write-snapshots' && !effect.now) return 'nowhere';
  if (effect.type === 'sweep-signals' && effect.why === 'task-settled') return 'nowhere';
  return effect.type === 'invoke-agent' ? 'written' : 'flushed';
};

export const createLoop = (ports: LoopPorts): Loop => {
  let state = ports.state;
  let phase: 'open' | 'frozen' | 'closed' = 'open';
  let effects: readonly Effect[] = [];
  let busy = false;
  const book = createBook(ports);
  const isOpen = (): boolean => phase !== 'closed';

  const current = (): SessionState => {
    if (!state) throw new Error('the session has not begun');
    return state;
  };

  const tell = (event: Event, told: SessionState): void => {
    for (const observer of ports.observers) {
      try {
        observer(event, told);
      } catch (error) {
        ports.observers.delete(observer);
        later(0, () => commit({ type: 'problem.found', fault: toFault(error, 'a reader of events') }));
      }
    }
  };

  /** The fact as it is told, and as the state goes on with it. */
  const stamp = (body: EventBody, at: string): { readonly told: Event; readonly kept: Event } => {
    const seq = (state?.seq ?? 0) + 1;
    const { told, kept } = ports.clean(body);
    const event = { ...told, seq, at };
    return { told: event, kept: kept === told ? event : { ...kept, seq, at } };
  };

  const commit = (body: EventBody): boolean => {
    if (!isOpen()) return false;
    const at = new Date(ports.clock.now()).toISOString();
    if (ephemeralTypes.has(body.type)) {
      if (state) tell({ ...body, seq: state.seq, at }, state);
      return true;
    }
    const { told, kept } = stamp(body, at);
    if (!book.append(told)) return false;
    const decision = decide(state, kept);
    state = decision.state;
    effects = decision.effects.length > 0 ? [...effects, ...decision.effects] : effects;
    ports.note(told);
    tell(told, decision.state);
    return true;
  };

  /** Commits what follows from the state; before some facts the orchestrator looks into the mailbox and the question is asked again. */
  const advance = (): void => {
    let polled: CheckpointId | null = null;
    for (let step = 0; phase === 'open' && state; step += 1) {
      if (step > mostSteps) throw new Error('the pipeline does not come to rest');
      const body = next(state);
      if (!body) return;
      const checkpoint = checkpointBefore(state, body);
      if (checkpoint !== null && checkpoint !== polled) {
        polled = checkpoint;
        ports.poll(checkpoint);
        continue;
      }
      polled = null;
      commit(body);
    }
  };

  const drain = (): void => {
    for (;;) {
      advance();
      const batch = effects;
      if (batch.length === 0) {
        if (phase === 'open' && ports.rest()) continue;
        break;
      }
      effects = [];
      const needs = batch.map(recordedBefore);
      if (needs.includes('flushed')) book.flush();
      else if (needs.includes('written')) book.rest();
      // The flush may just have stopped the session: then nobody is given work any more.
      for (const effect of batch)
        if (phase === 'open' || (isOpen() && effect.type !== 'invoke-agent')) ports.perform(effect);
    }
    book.rest();
  };

  const run = <T>(work: () => T): T => {
    if (busy) return work();
    busy = true;
    try {
      const value = work();
      drain();
      return value;
    } catch (error) {
      ports.broken(toFault(error));
      throw error;
    } finally {
      busy = false;
    }
  };

  const later = (ms: number, work: () => void): Cancel =>
    ports.clock.after(ms, () => {
      if (!isOpen()) return;
      try {
        run(work);
      } catch {
        // `run` has stopped the session with this error already.
      }
    });

  return {
    state: current,
    begun: () => state !== null,
    commit,
    run,
    later,
    flush: () => book.flush() && isOpen(),
    write: book.write,
    isOpen,
    announce: (body) => {
      const { told, kept } = stamp(body, new Date(ports.clock.now()).toISOString());
      state = decide(state, kept).state;
      tell(told, state);
    },
    freeze: () => {
      if (phase === 'open') phase = 'frozen';
    },
    close: () => {
      book.flush();
      phase = 'closed';
    },
    abandon: () => {
      phase = 'closed';
    },
  };
};
