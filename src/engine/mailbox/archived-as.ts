import type { EventBody } from '../../pipeline/event.ts';
import type { Handling } from '../../signals/mailbox.ts';
import type { PendingSignal } from '../../signals/signal.ts';

/** The event that records how an archived signal ended. */
export const archivedAs = ({ id, file, signal }: PendingSignal, handling: Handling): EventBody => {
  switch (handling.outcome) {
    case 'withdrawn':
      return { type: 'signal.withdrawn', id, file, signal, by: handling.handled_by };
    case 'undelivered':
      return { type: 'signal.undelivered', id, file, signal, reason: handling.action_taken };
    case 'handled':
    case 'delivered':
      return {
        type: 'signal.handled',
        id,
        file,
        signal,
        handled_by: handling.handled_by,
        checkpoint: handling.checkpoint,
        action_taken: handling.action_taken,
        invocation: handling.invocation,
        ...(handling.outcome === 'delivered' ? { answered: false } : {}),
      };
  }
};
