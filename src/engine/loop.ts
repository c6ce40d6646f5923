import type { Cancel } from '../base/clock.ts';
import { toFault } from '../base/fault.ts';
import { checkpointBefore } from '../pipeline/checkpoint-before.ts';
import { decide } from '../pipeline/decide.ts';
import type { Effect } from '../pipeline/effect.ts';
import { type Event, type EventBody, ephemeralTypes } from '../pipeline/event.ts';
import { toJournaled } from '../pipeline/journaled-fault.ts';
import { next } from '../pipeline/next.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Cleaned } from './clean.ts';
import { createJournalQueue, type JournalQueuePorts } from './journal-queue.ts';

/**
 * The one queue of a session: commits a fact, commits what the pipeline derives until it rests, puts the journal on disk, performs
 * the effects (architecture.md, the drawing; engine.md, Durability). Everything that changes the session passes through `run`.
 */
export interface Loop {
  /** The state after the last commit; throws before `session.created`. */
  state(): SessionState;
  begun(): boolean;
  /**
   * Stamps the fact, appends it to the journal, folds it, notifies the observers. `false`: the engine has stopped
   * and nothing was recorded. Never throws: a journal that cannot be written stops the session (`LoopPorts.broken`).
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
}

export type Observer = (event: Event, state: SessionState) => void;

export interface LoopPorts extends JournalQueuePorts {
  /** The state from the journal, or null for a new session. */
  readonly state: SessionState | null;
  /** Called after each commit. Observers only read (architecture.md, invariant 4); one that throws is removed. */
  readonly observers: Set<Observer>;
  /** Removes secrets from facts for the journal and the observers. */
  readonly clean: (body: EventBody) => Cleaned;
  /** Sees every event before the observers do. */
  readonly note: (event: Event) => void;
  /** The orchestrator's checkpoint: looks into the mailbox and acts on signals. */
  readonly poll: (checkpoint: CheckpointId) => void;
  /** Called whenever the pipeline rests. Returns true when it committed something. */
  readonly rest: () => boolean;
  readonly perform: (effect: Effect) => void;
}

/** Limit of facts that may follow from one. Beyond it the pipeline contradicts itself, and stopping with a sentence beats spinning. */
const mostSteps = 100_000;

/**
 * How safely the reason of an effect is recorded before the effect runs. Timers are invisible outside. Later
 * snapshots and the archiving of undeliverable messages flush by themselves. A power loss also ends a started agent,
 * so the operating system suffices; the flush follows within 100 ms. Every other change outside is permanent.
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
  const journal = createJournalQueue(ports);
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
        later(0, () =>
          commit({ type: 'problem.found', fault: toJournaled(toFault(error, 'a reader of events')) }),
        );
      }
    }
  };

  /** The fact for journal and observers (`told`), and as this engine keeps it (`kept`). */
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
    if (!journal.append(told)) return false;
    const decision = decide(state, kept);
    state = decision.state;
    effects = decision.effects.length > 0 ? [...effects, ...decision.effects] : effects;
    ports.note(told);
    tell(told, decision.state);
    return true;
  };

  /** Commits what follows from the state. Before some facts the orchestrator looks into the mailbox, and `next` is asked again. */
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
      if (needs.includes('flushed')) journal.flush();
      else if (needs.includes('written')) journal.rest();
      // The flush may have stopped the session. Then no agent gets new work.
      for (const effect of batch)
        if (phase === 'open' || (isOpen() && effect.type !== 'invoke-agent')) ports.perform(effect);
    }
    journal.rest();
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
        // `run` has already stopped the session with this error.
      }
    });

  return {
    state: current,
    begun: () => state !== null,
    commit,
    run,
    later,
    flush: () => journal.flush() && isOpen(),
    write: journal.write,
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
      journal.flush();
      phase = 'closed';
    },
    abandon: () => {
      phase = 'closed';
    },
  };
};
