import type { Hint } from '../../src/keymap/table.ts';
import type { Overlay, OverlayKind } from '../../src/store/overlays/overlay.ts';
import type { LocalTime } from '../../src/store/text/local-time.ts';
import type { ViewState } from '../../src/store/view.ts';

/** The props of every overlay. */
export interface OverlayProps<K extends OverlayKind> {
  readonly view: ViewState;
  readonly overlay: Extract<Overlay, { kind: K }>;
  readonly now: LocalTime;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}
