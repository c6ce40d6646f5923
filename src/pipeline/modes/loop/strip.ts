import type { StripEntry } from '../mode.ts';

/** The three states of a loop. */
export const strip: readonly StripEntry[] = [
  { state: 'RUNNING', word: 'RUNNING' },
  { state: 'DRAINING', word: 'DRAINING' },
  { state: 'STOPPED', word: 'STOPPED' },
];
