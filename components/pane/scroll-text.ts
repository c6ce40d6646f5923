import { rowsOf, selectLayout } from '../layout.ts';
import { readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';

/** The view after scrolling a tab that is one text of `rows` rows. At its end the last row of the text is the last row of the pane. */
export const scrollText = (view: ViewState, pane: string, rows: number, by: Move): ViewState => {
  const height = rowsOf(selectLayout(view), 'right');
  const tops = Math.max(1, rows - height + 1);
  const from = Math.min(readingOf(view.ui, pane).top ?? 0, tops - 1);
  return withReading(view, pane, { top: stepBy(from, by, tops, Math.max(1, height - 1)) });
};
