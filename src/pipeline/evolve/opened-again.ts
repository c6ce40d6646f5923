import { isComplete } from '../../session/status.ts';
import { isMessage } from '../../signals/kinds.ts';
import type { Patch } from '../handler.ts';
import type { SessionState } from '../state.ts';

/** A RETRY opens an ended session again: what waits in its mailbox was sent to nobody, what comes from now on is for the agents on the task. */
export const openedAgain = (state: SessionState): Patch =>
  state.openedAgain || !isComplete(state)
    ? {}
    : {
        openedAgain: true,
        signals: new Map(
          [...state.signals].map(([id, life]) =>
            life.stage === 'pending' && isMessage(life.signal.type)
              ? [id, { ...life, isSetAside: true }]
              : [id, life],
          ),
        ),
      };
