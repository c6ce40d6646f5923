import type { EventOf, EventType } from './event.ts';
import type { Owned } from './maps.ts';
import type { SessionState } from './state.ts';

/** One event's changes of the state. `seq` and `at` are set for every event. */
export type Patch = Partial<SessionState> | null;

/** One event type's part of `evolve`: pure, total, `null` when nothing changes. */
type Handler<T extends EventType> = (state: SessionState, event: EventOf<T>, own: Owned) => Patch;

export type Handlers = { readonly [T in EventType]: Handler<T> };

/** The handlers of one subject, for exactly its event types. */
export type HandlersOf<T extends EventType> = Pick<Handlers, T>;
