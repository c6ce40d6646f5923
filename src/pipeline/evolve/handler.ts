import type { EventOf, EventType } from '../event.ts';
import type { SessionState } from '../state.ts';
import type { Owned } from './maps.ts';

/** What one event changes of the state; `seq` and `at` follow by themselves. */
export type Patch = Partial<SessionState> | null;

/** One event type's part of `evolve`: pure, total, `null` when nothing changes. */
export type Handler<T extends EventType> = (state: SessionState, event: EventOf<T>, own: Owned) => Patch;

export type Handlers = { readonly [T in EventType]: Handler<T> };

/** A subject's handlers: the types it takes care of, and no other. */
export type HandlersOf<T extends EventType> = Pick<Handlers, T>;
