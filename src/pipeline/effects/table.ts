import type { Effect } from '../effect.ts';
import type { EventOf, EventType } from '../event.ts';
import type { SessionState } from '../state.ts';

/** The state around one event. */
export interface Change {
  readonly before: SessionState;
  readonly after: SessionState;
}

/** What one event type asks the engine to do. */
export type Ask<T extends EventType> = (change: Change, event: EventOf<T>) => readonly Effect[];

export type Asks = { readonly [T in EventType]: Ask<T> };

/** A subject's effects. */
export type AsksOf<T extends EventType> = Pick<Asks, T>;

/** Nothing is to be done. */
export const nothing = (): readonly Effect[] => [];

/** `progress.md` and the metadata files follow, soon. */
export const save = (): readonly Effect[] => [{ type: 'write-snapshots', now: false }];

/** They follow at once. */
export const saveNow = (): readonly Effect[] => [{ type: 'write-snapshots', now: true }];
