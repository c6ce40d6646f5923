import { layoutOf } from '../layout.ts';
import { readingOf } from '../panes/reading.ts';
import type { ViewState } from '../view.ts';
import { pairRows } from './pair-rows.ts';
import { type ChangesPage, type PageLine, selectPage } from './select-page.ts';

/** Columns of the pane from which old and new lines stand side by side. */
export const twoColumnsFrom = 110;

/** Whether old and new lines stand side by side: where a person wants it and there is room. */
export const selectTwoColumns = (view: ViewState): boolean =>
  view.ui.columns === 'two' && paneWidth(view) >= twoColumnsFrom;

/** Columns of the Changes tab on this screen. */
export const paneWidth = ({ ui }: ViewState): number => layoutOf(ui.size.columns, ui.size.rows, ui).right;

/**
 * The page laid out in lines of the screen. A place counts the lines of the page with the diff in one column: it names the same row
 * whatever the columns.
 */
export interface LaidPage extends ChangesPage {
  readonly two: boolean;
  /** Lines of the screen that the whole page takes. */
  readonly lines: number;
  /** Lines of the screen that the diff takes. */
  readonly diffLines: number;
}

/** A line of the screen, and the place that the cursor on it has. */
export type LaidLine =
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
  if (laid.diff === null || place < start) return Math.max(0, Math.min(laid.lines - 1, place));
  if (place >= start + rows) return Math.min(laid.lines - 1, place - rows + laid.diffLines);
  return start + (laid.two ? (pairRows(laid.diff).lineOf[place - start] ?? 0) : place - start);
};

/** What stands in a line of the screen. */
export const lineAt = (laid: LaidPage, line: number): LaidLine => {
  const { list, diff, foot, two } = laid;
  const start = list.length;
  const rows = diff?.kinds.length ?? 0;
  const isDiff = line >= start && line < start + laid.diffLines;
  if (diff !== null && isDiff && two) {
    const { left, right } = pairRows(diff);
    const [one, other] = [left[line - start] ?? -1, right[line - start] ?? -1];
    // The side that is still there names the line.
    return { kind: 'pair', place: start + (other >= 0 ? other : one), left: one, right: other };
  }
  if (isDiff) return { kind: 'row', place: line, row: line - start };
  const at = line < start ? line : line - laid.diffLines - start;
  const shown = (line < start ? list : foot)[at] ?? { kind: 'blank' };
  return { kind: 'page', place: line < start ? line : start + rows + at, line: shown };
};

/** The first line in sight and the line of the cursor; without a cursor -1. `height`: lines in sight. */
export const selectView = (
  view: ViewState,
  laid: LaidPage,
  height: number,
): { readonly top: number; readonly at: number } => {
  const { at: place, top } = readingOf(view.ui, 'changes');
  const last = Math.max(0, laid.lines - height);
  const at = place === null ? -1 : lineOfPlace(laid, Number(place));
  const wanted = top ?? Math.max(0, at - Math.floor(height / 3));
  return { top: Math.min(last, wanted), at };
};

/** The row of the diff under the cursor, or -1. */
export const selectRow = (view: ViewState, { list, diff }: ChangesPage): number => {
  const place = readingOf(view.ui, 'changes').at;
  const row = place === null ? -1 : Number(place) - list.length;
  return row < (diff?.kinds.length ?? 0) ? Math.max(-1, row) : -1;
};
