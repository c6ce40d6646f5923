/** The state of a journal's playback: the keys' requests and the progress. The player obeys it. */
export interface Replay {
  /** Factor of the original speed. */
  readonly speed: number;
  readonly paused: boolean;
  /** Events played, of `total`. */
  readonly played: number;
  readonly total: number;
  /** Current time in the journal, milliseconds since the epoch. May be between two events. */
  readonly at: number;
  /** The position a key asked for. The player seeks there and clears it. */
  readonly wanted: Seek | null;
}

/** A distance in the journal's own time, or the start of the next or previous state of the machine. */
export type Seek =
  | { readonly by: 'time'; readonly ms: number }
  | { readonly by: 'state'; readonly way: 1 | -1 };

export const slowest = 0.25;
export const fastest = 64;

/** `replay ×2 · 40 of 120 · paused` */
export const replayWords = ({ speed, paused, played, total }: Replay): string =>
  `replay ×${speed} · ${played} of ${total}${played >= total ? ' · at the end' : paused ? ' · paused' : ''}`;
