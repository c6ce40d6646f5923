import { type End, ends, stopped } from '../../ends.ts';
import type { SessionState } from '../../state.ts';
import { anyRunning, enter, type Part } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { runtimeSentence } from './stop-conditions.ts';

/**
 * RUNNING → DRAINING → STOPPED for every stop but ABORT (src/discovery/README.md, The loop). DRAIN comes first, then a turn's
 * decision, then the runtime limit, which may pass during a turn. A restarted loop leaves both states by itself.
 */
export const windDown: Part = (state) => {
  const why = stopOf(state);
  switch (state.state) {
    case 'DRAINING':
      if (why === null) return enter(state, 'RUNNING', 'resumed');
      return anyRunning(state) ? 'wait' : enter(state, 'STOPPED', why.sentence);
    case 'STOPPED':
      return why === null ? enter(state, 'RUNNING', 'resumed') : stopped(state, why.end);
    default:
      return why && enter(state, 'DRAINING', why.sentence);
  }
};

/** The stage of DRAINING and STOPPED: only `windDown` leaves them. */
export const waits: Stage = () => null;

interface Reason {
  readonly sentence: string;
  readonly end: End;
}

const stopOf = (state: SessionState): Reason | null => {
  if (state.status === 'aborted') return { sentence: 'aborted', end: ends.aborted() };
  if (state.drain) {
    const end = ends.drained(state.drain.by);
    return { sentence: end.reason, end };
  }
  const { loop } = state;
  if (loop?.stop)
    return { sentence: loop.stop.sentence, end: endOf(loop.stop.condition, loop.stop.sentence) };
  return loop?.timeUp ? { sentence: runtimeSentence, end: endOf('runtime', runtimeSentence) } : null;
};

const endOf = (
  condition: NonNullable<NonNullable<SessionState['loop']>['stop']>['condition'],
  sentence: string,
): End => {
  switch (condition) {
    case 'completion':
      return ends.allDone();
    case 'runtime':
    case 'turns':
      return ends.limit(sentence);
    case 'loop-detected':
    case 'no-progress':
    case 'failed-turns':
      return ends.needsFeedback(sentence);
  }
};
