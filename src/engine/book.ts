import type { Cancel, Clock } from '../base/clock.ts';
import { type Fault, toFault } from '../base/fault.ts';
import type { JournalWriter } from '../observability/journal.ts';
import type { Event } from '../pipeline/event.ts';

/** The journal as the queue uses it: when its lines go where, and what happens when they cannot. Never throws: `broken` stops the session. */
export interface Book {
  /** False when the line may not be written: the lock is lost. */
  append(event: Event): boolean;
  /** Against the end of this process: cheap. */
  write(): void;
  /** Against a power loss. False when it failed: nothing may be done that depends on these lines. */
  flush(): boolean;
  /** The queue rests: lines are handed over now, and on disk a little later. */
  rest(): void;
}

export interface BookPorts {
  readonly clock: Clock;
  readonly journal: JournalWriter;
  /** Asked before each batch of lines: a lost lock must not be written past. */
  readonly stillOurs: () => boolean;
  readonly broken: (fault: Fault) => void;
}

/** How long a recorded fact on which nothing outside depends yet may wait for its fsync. */
const flushWithinMs = 100;

export const createBook = ({ clock, journal, stillOurs, broken }: BookPorts): Book => {
  /** `waiting`: since this piece of work began; `kept`: they could not be written before. */
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
      // Lines wait only within one synchronous piece of work: the first one's answer holds for all.
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
    // What follows from a failure is appended in the middle of it, and waits as well.
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

const lockLost: Fault = {
  code: 'lock-lost',
  what: 'another program took over this session',
  mend: 'watch it with `ralph-tui attach`',
};
