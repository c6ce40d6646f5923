import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';

/** One kind of file. */
export interface SnapshotFile {
  readonly path: (state: SessionState) => string;
  /** The new text: an edit of `current` that keeps people's additions. `written` is our last text. */
  readonly render: (state: SessionState, current: string | null, written: string | null) => string;
  /** After a restart: receives the state of the file's last write. */
  readonly recall?: (state: SessionState) => void;
  /** True when two texts differ only in counters and dates that change with every write. */
  readonly same: (a: string, b: string) => boolean;
  /** The changes of `theirs` against `base`. `state` shows what we changed since. */
  readonly edits: (base: string, theirs: string, state: SessionState, file: string) => Edits;
}

export interface Edits {
  readonly facts: readonly EventBody[];
  /** Keys that both sides changed, each as a sentence. */
  readonly conflicts: readonly string[];
}
