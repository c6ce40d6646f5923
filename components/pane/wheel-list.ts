import { listTop } from '../draw/window-top.ts';
import { rowsOf, selectLayout, signalsIn } from '../layout.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ListName, ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';

interface Place {
  /** Rows of the list. */
  readonly count: number;
  /** The row of the cursor. */
  readonly at: number;
}

/** The view after the wheel turned over a list: the rows in sight move, the selection stays. */
export const wheelList = (view: ViewState, list: ListName, { count, at }: Place, by: Move): ViewState => {
  const { ui } = view;
  const rows = rowsOf(selectLayout(view), list);
  const height = list === 'tasks' ? rows : signalsIn(rows);
  const top = listTop(ui.tops[list], count, at, height);
  const next = Math.max(0, Math.min(count - height, stepBy(top, by, count, height)));
  return withUi(view, { tops: { ...ui.tops, [list]: next } });
};
