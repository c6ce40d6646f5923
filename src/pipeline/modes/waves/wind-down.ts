import { ends, stopped } from '../../ends.ts';
import { anyRunning, type Part } from '../../step.ts';

/** DRAIN: starts nothing, and stops the session when nothing runs; in a hold at once (src/discovery/README.md, The loop). */
export const windDown: Part = (state) => {
  if (!state.drain || state.state === 'COMPLETE') return null;
  return anyRunning(state) ? 'wait' : stopped(state, ends.drained(state.drain.by));
};
