import type { Hint } from '../../src/keymap/table.ts';
import type { Moment } from '../../src/store/moment.ts';
import type { Overlay, OverlayKind } from '../../src/store/overlay.ts';
import type { ViewState } from '../../src/store/view.ts';

/** What every overlay is given. */
export interface OverlayProps<K extends OverlayKind> {
  readonly view: ViewState;
  readonly overlay: Extract<Overlay, { kind: K }>;
  readonly now: Moment;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}
