import type { Moment } from '../../src/store/moment.ts';
import type { ViewState } from '../../src/store/view.ts';

/** What every pane is given: the view, now, its size without the title line, and whether the keys go to it. */
export interface PaneProps {
  readonly view: ViewState;
  readonly now: Moment;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}
