import { pairRows } from '../../src/words/diff/pair-rows.ts';
import { selectLayout } from '../layout.ts';
import { selectPreferences } from '../ports/select-preferences.ts';
import { readingOf } from '../reading.ts';
import type { ViewState } from '../view.ts';
import { type ChangesPage, type PageLine, selectPage } from './select-page.ts';

/** Columns of the pane from which old and new lines are side by side. */
export const twoColumnsFrom = 110;

/** Whether old and new lines are side by side: where a person wants it and there is room. */
export const selectTwoColumns = (view: ViewState): boolean =>
  wantedColumns(view) === 'two' && paneWidth(view) >= twoColumnsFrom;

/** What the person chose on this screen, else what the preferences say. */
export const wantedColumns = (view: ViewState): 'one' | 'two' =>
  view.ui.columns ?? selectPreferences(view).columns;

/** Columns of the Changes tab on this screen. */
export const paneWidth = (view: ViewState): number => selectLayout(view).right;

/**
 * The page laid out in lines of the screen. A place counts from the diff's first row in one column, so it names the same row whatever
 * the columns, and however long the list above becomes: that has the places below 0.
 */
export interface LaidPage extends ChangesPage {
  readonly two: boolean;
  /** Lines of the screen that the whole page takes. */
  readonly lines: number;
  /** Lines of the screen that the diff takes. */
  readonly diffLines: number;
}

/** A line of the screen, and the place that the cursor on it has. */
type LaidLine =
  | { readonly kind: 'page'; readonly place: number; readonly line: PageLine }
  | { readonly kind: 'row'; readonly place: number; readonly row: number }
  /** Rows side by side; -1: nothing. */
  | { readonly kind: 'pair'; readonly place: number; readonly left: number; readonly right: number };

/** The page of the Changes tab, laid out for this screen. */
export const selectLaid = (view: ViewState): LaidPage => {
  const page = selectPage(view);
  const two = selectTwoColumns(view);
  const diffLines = page.diff === null ? 0 : two ? pairRows(page.diff).left.length : page.diff.kinds.length;
  return { ...page, two, diffLines, lines: page.list.length + diffLines + page.foot.length };
};

/** The line of the screen that shows a place. */
export const lineOfPlace = (laid: LaidPage, place: number): number => {
  const start = laid.list.length;
  const rows = laid.diff?.kinds.length ?? 0;
  const isRow = laid.two && place >= 0 && place < rows;
  const after = place < rows ? place : place - rows + laid.diffLines;
  const line = isRow && laid.diff !== null ? (pairRows(laid.diff).lineOf[place] ?? 0) : after;
  return Math.max(0, Math.min(laid.lines - 1, start + line));
};

/** What is in a line of the screen. */
export const lineAt = (laid: LaidPage, line: number): LaidLine => {
  const { list, diff, foot, two } = laid;
  const at = line - list.length;
  const isDiff = at >= 0 && at < laid.diffLines;
  if (diff !== null && isDiff && two) {
    const { left, right } = pairRows(diff);
    const [one, other] = [left[at] ?? -1, right[at] ?? -1];
    // The side that is still there names the line.
    return { kind: 'pair', place: other >= 0 ? other : one, left: one, right: other };
  }
  if (isDiff) return { kind: 'row', place: at, row: at };
  const below = at - laid.diffLines;
  const shown = (at < 0 ? list[line] : foot[below]) ?? { kind: 'blank' };
  return { kind: 'page', place: at < 0 ? at : (diff?.kinds.length ?? 0) + below, line: shown };
};

/** The first line in sight and the line of the cursor; without a cursor -1. `height`: lines in sight. `Reading.top` counts as places do. */
export const selectView = (
  view: ViewState,
  laid: LaidPage,
  height: number,
): { readonly top: number; readonly at: number } => {
  const { at: place, top } = readingOf(view.ui, 'changes');
  const last = Math.max(0, laid.lines - height);
  const at = place === null ? -1 : lineOfPlace(laid, Number(place));
  const wanted = top === null ? at - Math.floor(height / 3) : top + laid.list.length;
  return { top: Math.max(0, Math.min(last, wanted)), at };
};
