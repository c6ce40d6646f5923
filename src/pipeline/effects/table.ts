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

/** The effects of a subject's events. An event that is not named has none: most facts are only for the screen. */
export type Asks = { readonly [T in EventType]?: Ask<T> };

/** Writes `progress.md` and the metadata files soon. */
export const save = (): readonly Effect[] => [{ type: 'write-snapshots', now: false }];

/** Writes them at once. */
export const saveNow = (): readonly Effect[] => [{ type: 'write-snapshots', now: true }];
