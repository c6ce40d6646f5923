import type { Changes } from '../../../components/ports/viewer-port.ts';
import type { Event } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';

/** Everything that the page is folded from. Texts of agents and files are already without secrets. */
export interface PageSource {
  readonly events: readonly Event[];
  readonly state: SessionState;
  /** A process runs the session. */
  readonly isRun: boolean;
  /** The time of reading, in milliseconds since the epoch. */
  readonly now: number;
  /** Minutes east of UTC for the times of day. */
  readonly offset: number;
  /** The changes of the session; `null` where they were not read. */
  readonly changes: SourceChanges | null;
  /** The changes of tasks, by id. */
  readonly diffs: ReadonlyMap<string, SourceChanges>;
  /** What attempts printed, by `task#attempt`, safe to show. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Reports of last attempts, by task. */
  readonly reports: ReadonlyMap<string, string>;
  /** Texts of lessons, by the file's name below the knowledge directory. */
  readonly lessons: ReadonlyMap<string, string>;
  readonly removed: readonly { readonly kind: string; readonly count: number }[];
  /** One line for an event, or `null` where it says nothing to a reader. */
  readonly sentence: (event: Event) => string | null;
  /** Outputs and long lists whole. */
  readonly full: boolean;
  readonly structure: boolean;
}

/** A unified diff as git prints it, and its files with their line counts. */
export interface SourceChanges {
  readonly files: readonly {
    readonly path: string;
    readonly added: number | null;
    readonly removed: number | null;
  }[];
  readonly diff: string;
  /** Why there is none, as a sentence. */
  readonly missing: string | null;
  /** Of the session: what no merge has brought to its branch, by task. */
  readonly unmerged?: Changes['unmerged'];
}
