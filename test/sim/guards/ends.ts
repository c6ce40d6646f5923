import { isComplete } from '../../../src/session/status.ts';
import type { CreateGuard } from './guard.ts';

/** Whatever stops says why, and an ABORT or the end leaves nothing running. */
export const guardEnds: CreateGuard = ({ session, say }) => ({
  see: (event) => {
    if (event.type !== 'session.stopped') return;
    if (event.reason.trim() === '') say(`event ${event.seq}: stopped without a reason`);
    const left = session.spawn.runningHere();
    if (event.status === 'aborted' && left.length > 0)
      say(`event ${event.seq}: ABORT left ${left.join(', ')} running`);
  },
  look: (state) => {
    if (!state.running && !state.stopReason?.trim())
      say(`event ${state.seq}: not running, and no reason is stated`);
  },
  end: (state) => {
    const left = session.spawn.running();
    if (left.length > 0) say(`still running at the end: ${left.join(', ')}`);
    // What a hold had paused when people stopped the session goes on where it was, should they resume it.
    const asleep = new Set(
      [...state.invocations.values()].filter(({ stage }) => stage === 'paused').map(({ task }) => task),
    );
    for (const { definition, status } of state.tasks.values())
      if (
        (status === 'running' && !asleep.has(definition.id)) ||
        (status === 'review' && isComplete(state) && state.status !== 'aborted')
      )
        say(`${definition.id} is ${status} at the end`);
  },
});
