import type { Subject } from './trust-subjects.ts';
import type { EngineWish } from './wire.ts';

/** A session that could begin or go on. Everything was read once: what is agreed to is what will run. */
export interface Prepared {
  readonly workspace: string;
  /** What of the repository's own would run, or widen what may. */
  readonly subjects: readonly Subject[];
  /** A new session gets its directory by this. */
  readonly wish: () => EngineWish;
}
