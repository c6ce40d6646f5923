import type { Hint } from '../../src/keymap/table.ts';
import type { Overlay, OverlayKind } from '../../src/store/overlay.ts';
import type { ViewState } from '../../src/store/view.ts';
import type { LocalTime } from '../../src/words/local-time.ts';

/** The props of every overlay. */
export interface OverlayProps<K extends OverlayKind> {
  readonly view: ViewState;
  readonly overlay: Extract<Overlay, { kind: K }>;
  readonly now: LocalTime;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}
