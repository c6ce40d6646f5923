import type { Fault } from '../../base/fault.ts';

/**
 * One connection as a carrier opens it. It moves whole lines and may lose the last ones when it breaks; a carrier over a queue may also repeat and
 * reorder them.
 */
export interface Pipe {
  /** `mayWait`: a carrier that pays for each batch may keep it for a tenth of a second. */
  write(line: string, mayWait?: boolean): void;
  close(): void;
}

/** What a link expects of the connection that it was given. */
export interface PipeEnd {
  line(text: string): void;
  /** The other side is not there yet, and that is no silence: the work waits for it in a queue. */
  waits(): void;
  /** The connection is over. `why`: the carrier's reason, if it has one. */
  ended(why: Fault | null): void;
}

export type LinkState =
  | { readonly kind: 'reachable'; readonly roundTripMs: number | null }
  | { readonly kind: 'unreachable'; readonly since: number; readonly why: Fault | null }
  /** For good: the other side speaks another protocol, or has forgotten this link. */
  | { readonly kind: 'broken'; readonly why: Fault };
