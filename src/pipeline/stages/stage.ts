import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';

/**
 * One state of the machine: the fact that follows when nothing ended waits to be settled, nothing holds and nobody aborts. `null`: it waits, for an
 * invocation, a timer or a person.
 */
export type Stage = (state: SessionState) => EventBody | null;
