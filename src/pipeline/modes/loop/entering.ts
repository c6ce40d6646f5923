import type { Patch } from '../../handler.ts';
import { leftOpen } from '../../left-open.ts';
import type { Owned } from '../../maps.ts';
import type { SessionState } from '../../state.ts';

/** STOPPED after an ABORT drops work under way. Every other stop keeps it for a resume. */
export const entering = (state: SessionState, name: SessionState['state'], own: Owned): Patch => {
  if (name !== 'STOPPED' || !state.abort) return null;
  return {
    status: 'aborted',
    hold: null,
    drain: null,
    invocations: new Map(),
    retries: new Map(),
    noResults: new Map(),
    quotaUntil: null,
    usedUp: new Map(),
    limit: null,
    timeUp: false,
    tasks: leftOpen(state, own),
  };
};
