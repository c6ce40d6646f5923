import type { LocalTime } from '../../src/words/local-time.ts';
import type { Overlay, OverlayKind } from '../overlay.ts';
import type { Hint } from '../table.ts';
import type { ViewState } from '../view.ts';

/** The props of every overlay. */
export interface OverlayProps<K extends OverlayKind> {
  readonly view: ViewState;
  readonly overlay: Extract<Overlay, { kind: K }>;
  readonly now: LocalTime;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}
