import type { StripEntry } from '../mode.ts';

/** The three states of a loop. */
export const strip: readonly StripEntry[] = [
  { state: 'RUNNING' },
  { state: 'DRAINING' },
  { state: 'STOPPED' },
];
