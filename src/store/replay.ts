/** A journal being played back: what the keys want of it, and how far it is. The player follows what stands here. */
export interface Replay {
  /** Times as fast as it was. */
  readonly speed: number;
  readonly paused: boolean;
  /** Events played, of `total`. */
  readonly played: number;
  readonly total: number;
  /** The journal's own time it is at, milliseconds since the epoch: also between two events. */
  readonly at: number;
  /** Where a key wants to go; the player goes there and takes it back. */
  readonly wanted: Seek | null;
}

/** By so much of the journal's own time, or to the start of the next or last state of the machine. */
export type Seek =
  | { readonly by: 'time'; readonly ms: number }
  | { readonly by: 'state'; readonly way: 1 | -1 };

export const slowest = 0.25;
export const fastest = 64;

/** `replay ×2 · 40 of 120 · paused` */
export const replayWords = ({ speed, paused, played, total }: Replay): string =>
  `replay ×${speed} · ${played} of ${total}${played >= total ? ' · at the end' : paused ? ' · paused' : ''}`;
