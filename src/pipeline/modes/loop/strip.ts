import type { StripEntry } from '../mode.ts';

/** The three states of a loop, in a user's words. */
export const strip: readonly StripEntry[] = [
  { state: 'RUNNING', word: 'Work' },
  { state: 'DRAINING', word: 'Drain' },
  { state: 'STOPPED', word: 'Done' },
];
