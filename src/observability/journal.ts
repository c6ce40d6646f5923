import type { Fault } from '../base/fault.ts';
import type { Event } from '../pipeline/event.ts';

/**
 * `journal.jsonl`: every engine event, one JSON object a line, append only (session-format.md). `journal-file.ts` implements both over a `Disk`.
 */
export interface JournalWriter {
  /** Appends without flushing; throws `DiskError` and leaves no half line behind that a reader would take. */
  append(event: Event): void;
  /** Hands what was appended to the operating system: it survives the end of this process, and viewers can read it; not yet a power loss. */
  write(): void;
  /** `write`, and makes it survive a power loss. */
  flush(): void;
  close(): void;
}

export interface JournalRead {
  readonly events: readonly Event[];
  readonly problems: readonly Fault[];
  /** Bytes that were read as whole lines; a viewer goes on from here. */
  readonly offset: number;
}
