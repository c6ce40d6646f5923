import type { Cancel, Clock } from '../base/clock.ts';
import { type Fault, toFault } from '../base/fault.ts';
import type { JournalWriter } from '../observability/journal.ts';
import type { Event } from '../pipeline/event.ts';

/** The journal of the queue: decides when lines are written and flushed, and handles failures. Never throws: `broken` stops the session. */
export interface JournalQueue {
  /** False when the lock is lost, so the line must not be written. */
  append(event: Event): boolean;
  /** Protects lines against the end of this process. Cheap. */
  write(): void;
  /** Protects lines against a power loss. False when it failed: then nothing may be done that depends on them. */
  flush(): boolean;
  /** Writes the lines when the queue is idle, and flushes them a little later. */
  rest(): void;
}

export interface JournalQueuePorts {
  readonly clock: Clock;
  readonly journal: JournalWriter;
  /** Asked before each batch of lines: nothing may be written after the lock is lost. */
  readonly stillOurs: () => boolean;
  readonly broken: (fault: Fault) => void;
}

/** Longest wait for the fsync of a fact on which nothing outside depends yet. */
const flushWithinMs = 100;

export const createJournalQueue = ({
  clock,
  journal,
  stillOurs,
  broken,
}: JournalQueuePorts): JournalQueue => {
  /** `waiting`: appended in this piece of work; `kept`: an earlier write failed. */
  let lines: 'none' | 'waiting' | 'kept' | 'written' = 'none';
  let timer: Cancel | null = null;

  const guarded = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      broken(toFault(error, 'journal.jsonl'));
      return false;
    }
  };

  const append = (event: Event): boolean => {
    let ours = false;
    const done = guarded(() => {
      // Lines wait only within one synchronous piece of work, so one check covers all of them.
      ours = lines === 'waiting' || stillOurs();
      if (ours) journal.append(event);
    });
    if (done && !ours) broken(lockLost);
    if (done && ours) lines = 'waiting';
    return done && ours;
  };

  const write = (): void => {
    if (lines !== 'waiting' && lines !== 'kept') return;
    lines = guarded(() => journal.write()) ? 'written' : 'kept';
  };

  const flush = (): boolean => {
    timer?.();
    timer = null;
    if (lines === 'none') return true;
    // Handling a failure appends lines too. They stay in memory until the next flush.
    const done = guarded(() => journal.flush());
    lines = done ? 'none' : 'kept';
    return done;
  };

  return {
    append,
    write,
    flush,
    rest: () => {
      write();
      if (lines === 'written') timer ??= clock.after(flushWithinMs, flush);
    },
  };
};

export const lockLost: Fault = {
  code: 'lock-lost',
  what: 'another program took over this session',
  hint: '`ralph-tui sessions` lists it, and `ralph-tui attach ID` opens it',
};
