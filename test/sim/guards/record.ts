import { isDeepStrictEqual } from 'node:util';
import { evolve } from '../../../src/pipeline/evolve.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { CreateGuard } from './guard.ts';

/** The journal has every number once, and whoever replays it or follows it sees what the live run is. */
export const guardRecord: CreateGuard = ({ say, journal, live, attached }) => ({
  end: (state) => {
    const events = journal();
    const wrong = events.findIndex(({ seq }, index) => seq !== index + 1);
    if (wrong >= 0) say(`line ${wrong + 1} of the journal has number ${events[wrong]?.seq}`);
    const folded = events.reduce<SessionState | null>((before, event) => evolve(before, event), null);
    if (!isDeepStrictEqual(folded, state)) say('the replayed journal gives another state than the live run');
    if (!isDeepStrictEqual(live().session, state))
      say('the screen of the run shows another state than the run');
    if (!isDeepStrictEqual(attached().session, state))
      say('a screen that follows the journal shows another state than the run');
  },
});
