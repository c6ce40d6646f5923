import { rowsOfText } from '../output/reduce-log.ts';
import { readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move, UiAction } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';
import { selectRow } from './select-row.ts';
import { type LaidPage, lineAt, lineOfPlace, selectLaid, selectView } from './select-window.ts';

/** Cells for one step to the side. */
const sideStep = 8;

/** The view after the cursor of the Changes tab moved, or its text turned under the wheel or to the side. */
export const moveInChanges = (view: ViewState, by: Move): ViewState => {
  if (by === 'left' || by === 'right') {
    const { left } = readingOf(view.ui, 'changes');
    return withReading(view, 'changes', { left: Math.max(0, left + (by === 'left' ? -sideStep : sideStep)) });
  }
  const laid = selectLaid(view);
  const height = rowsOfText(view);
  const { top, at } = selectView(view, laid, height);
  const last = Math.max(0, laid.lines - height);
  if (by === 'wheel-up' || by === 'wheel-down') {
    const next = Math.min(last, stepBy(top, by, laid.lines, height));
    const kept = at < 0 ? null : placeOf(laid, Math.max(next, Math.min(next + height - 1, at)));
    return withReading(view, 'changes', { top: next - laid.list.length, at: kept });
  }
  const next = stepBy(at < 0 ? top : at, by, laid.lines, height);
  const first = next < top ? next : next >= top + height ? next - height + 1 : top;
  return withReading(view, 'changes', { top: first - laid.list.length, at: placeOf(laid, next) });
};

const placeOf = (laid: LaidPage, line: number): string => String(lineAt(laid, line).place);

/** Puts the cursor on a row of the diff: at the top of the pane, or where it is when it is in sight and `calm`. */
export const goToRow = (view: ViewState, row: number, calm = false): UiAction => {
  const laid = selectLaid(view);
  const height = rowsOfText(view);
  const line = lineOfPlace(laid, row);
  const { top } = selectView(view, laid, height);
  const stays = calm && line >= top && line < top + height;
  const first = stays ? top : calm ? line - Math.floor(height / 3) : line;
  return { type: 'read', pane: 'changes', change: { at: String(row), top: first - laid.list.length } };
};

/** The head of the next file or hunk, from the cursor or the first line in sight. `null`: there is none that way. */
export const selectNextPart = (view: ViewState, part: 'file' | 'hunk', by: 1 | -1): number | null => {
  const laid = selectLaid(view);
  if (laid.diff === null) return null;
  const starts = part === 'hunk' ? laid.diff.hunks : laid.diff.files.map(({ top }) => top);
  const here = selectRow(view, laid.diff);
  return (by > 0 ? starts.find((row) => row > here) : starts.findLast((row) => row < here)) ?? null;
};
