import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';

/**
 * One state of the machine. Returns the fact that follows when all ended work is settled,
 * without a hold or an abort. `null`: it waits for an invocation, a timer or a person.
 */
export type Stage = (state: SessionState) => EventBody | null;
