import type { Fault } from '../base/fault.ts';
import type { BeforeRemoval, SessionChanges } from '../changes/port.ts';

/** The changes of the session, opened when they are first needed. */
export interface OpenChanges {
  /**
   * Opens them once; a second start of the program opens them again. A fault stays until a person does something. `stream`: the first issue of a stream
   * of a flow, which has a branch of its own.
   */
  get(stream?: string | null): Promise<SessionChanges | Fault>;
  /** Removes the session's own worktrees; `before` runs in those in which merges were verified. The next `get` makes them again. */
  close(before: BeforeRemoval): Promise<Fault | null>;
  /** Counts as work of git until it ends. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing counted is under way; `null` when that is so already. Never rejects. */
  idle(): Promise<void> | null;
}
