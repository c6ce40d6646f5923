import type { InLines } from '../in-lines.ts';
import type { Move, UiAction } from '../ui-action.ts';
import type { UiState, ViewState } from '../view.ts';
import type { Copyable } from './copyable.ts';

/**
 * Everything about a pane but its drawing: title, copy, movement, opening and filter. The keys, the reducer and the layout ask
 * the pane. A new pane is `pane.ts` and `Pane.tsx` in the folder of its subject, and a line in `panes.ts` and in `pane-components.tsx`.
 */
export interface Pane<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  /** The title where several share one line. */
  readonly short: string;
  /** What line mode has for the digit of this pane. */
  readonly inLines: InLines;
  /** Ids of the commands that belong here, the most useful first. The footer shows the first three, the help all of them before the others. */
  readonly keys: readonly string[];
  /** `tab`: one of several on the right · `list`: has its own place when there is room. */
  readonly kind: 'tab' | 'list';
  /** A suffix of the title among other titles: ` 3`. '' is none. */
  readonly badge: (view: ViewState) => string;
  /** The right end of the title line. `width` is in cells and includes the title. */
  readonly note: (view: ViewState, width: number) => readonly PaneNote[];
  /** The sentence in place of missing content. `null` while there is content. `{look.back}` names a key. */
  readonly empty: (view: ViewState) => string | null;
  readonly copy: (view: ViewState) => Copyable;
  /** The view after the cursor or the text moved. `wheel-up` and `wheel-down` scroll. */
  readonly move: (view: ViewState, by: Move) => ViewState;
  /** The actions of Enter, or the reason why nothing opens. */
  readonly open: (view: ViewState) => readonly UiAction[] | string;
  /** The action of Esc in this pane before others. `null` when there is none. */
  readonly back: (view: ViewState) => UiAction | null;
  /** The filter of `f`. `null` when there is nothing to narrow: then `f` narrows the tasks. */
  readonly filter: PaneFilter | null;
  /** UI changes applied when the pane is focused. */
  readonly arrive: Partial<UiState>;
  /** Whether the cursor also moves to the left and to the right. */
  readonly sideways: (view: ViewState) => boolean;
  /** The text depends on the selected task: another task starts at the top. */
  readonly ofTask: boolean;
  /** It tells about the selected task: its digit leaves the keys in Tasks. */
  readonly followsTask: boolean;
}

export interface PaneNote {
  readonly text: string;
  readonly tone: 'secondary' | 'held' | 'chain';
}

interface PaneFilter {
  /** Label of the field: "Show tasks with". */
  readonly label: string;
  readonly text: (view: ViewState) => string;
  readonly set: (view: ViewState, text: string) => ViewState;
  /** The number of matches, shown beside the field. '' is none. */
  readonly found: (view: ViewState) => string;
}

/** Defaults for features that most panes do not have. */
export const plainPane = {
  badge: () => '',
  note: () => [],
  empty: () => null,
  back: () => null,
  filter: null,
  arrive: {},
  sideways: () => false,
  ofTask: false,
  followsTask: false,
} as const;
