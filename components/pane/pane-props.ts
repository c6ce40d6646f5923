import type { LocalTime } from '../../src/words/local-time.ts';
import type { ViewState } from '../view.ts';

/** The props of every pane: the view, the time, its size without the title line, and whether it has the focus. */
export interface PaneProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}
