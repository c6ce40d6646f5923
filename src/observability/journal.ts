import type { Fault } from '../base/fault.ts';
import type { Event } from '../pipeline/event.ts';

/**
 * `journal.jsonl`: every engine event, one JSON object per line, append only
 * (src/session/README.md). `journal-file.ts` implements both parts over a `Disk`.
 */
export interface JournalWriter {
  /** Appends without flushing. Throws `DiskError`, and leaves no half line that a reader would accept. */
  append(event: Event): void;
  /** Hands appended lines to the operating system. They survive the end of this process and viewers can read them; a power loss may take them. */
  write(): void;
  /** `write`, then makes the lines survive a power loss. */
  flush(): void;
  close(): void;
  /** Looks whether somebody cut the journal or added to it, and mends it then. Returns each time once; `null` when it was whole. */
  takeCut(): JournalCut | null;
}

/** A journal that was shorter or longer than written, in bytes. */
export interface JournalCut {
  readonly left: number;
  readonly whole: number;
}

export interface JournalRead {
  readonly events: readonly Event[];
  readonly problems: readonly Fault[];
  /** Bytes that were read as whole lines. A viewer continues from here. */
  readonly offset: number;
}
