import type { Effect } from '../effect.ts';
import type { EventOf, EventType } from '../event.ts';
import type { SessionState } from '../state.ts';

/** The state before and after one event. */
export interface Change {
  readonly before: SessionState;
  readonly after: SessionState;
}

/** The effects of one event type. */
export type Ask<T extends EventType> = (change: Change, event: EventOf<T>) => readonly Effect[];

export type Asks = { readonly [T in EventType]: Ask<T> };

/** A subject's effects. */
export type AsksOf<T extends EventType> = Pick<Asks, T>;

/** No effects. */
export const nothing = (): readonly Effect[] => [];

/** Writes `progress.md` and the metadata files soon. */
export const save = (): readonly Effect[] => [{ type: 'write-snapshots', now: false }];

/** Writes them at once. */
export const saveNow = (): readonly Effect[] => [{ type: 'write-snapshots', now: true }];
