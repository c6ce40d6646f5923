import type { Fault } from '../../base/fault.ts';
import type { Pipe } from '../link/pipe.ts';
import type { WorkNames } from '../wire/work-names.ts';

/** The invocation that a link is for, before a runner is there: a queue finds one that may do it. */
export interface Offer extends WorkNames {
  /** The brief as JSON. */
  readonly brief: string;
}

/** What a carrier tells the link about the connection that it opened. */
export interface CarrierEnds {
  line(text: string): void;
  /** The runner is not there yet, as the work waits in a queue. */
  waits(): void;
  /** `why`: a sentence for the person with what to do; `null` after `close`. */
  ended(why: Fault | null): void;
}

/**
 * Opens connections to one runner. It moves opaque lines and knows nothing of what they say. Lines may be lost when a connection ends, and a carrier over
 * a queue may repeat or reorder them: the link above numbers its messages. `link` is the same for all connections of one link, so that a carrier over a
 * queue finds its rows, and the runner its work.
 */
export interface Carrier {
  readonly kind: 'ssh' | 'container' | 'sandbox' | 'pool';
  /** What to do about faults of a link that only this kind of runner knows, by their codes. */
  readonly hints?: Readonly<Partial<Record<'runner-protocol' | 'link-silent', string>>>;
  /** `offer`: the one invocation that the link is for. */
  open(link: string, ends: CarrierEnds, offer?: Offer): Pipe;
  /** The link is over for good. */
  release?(link: string): void;
  /** Links whose work a killed process left: opened once more, each delivers it. Absent: the runner itself knows. */
  readonly left?: () => readonly string[] | Promise<readonly string[]>;
  /** Ends the parts that all links share. The last lines still go out. */
  close?(): void;
}
