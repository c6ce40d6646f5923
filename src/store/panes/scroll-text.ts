import { textRows } from '../output/reduce-log.ts';
import { readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';

/** The view after scrolling a pane that is one text of `rows` rows. */
export const scrollText = (view: ViewState, pane: string, rows: number, by: Move): ViewState => {
  const page = textRows(view);
  const length = rows - page;
  const from = Math.min(readingOf(view.ui, pane).top ?? 0, length);
  return withReading(view, pane, { top: stepBy(from, by, Math.max(1, length), page) });
};
