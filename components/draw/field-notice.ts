import { widthOf } from '../../src/words/width.ts';
import { shownNotice, withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';

/** Cells of the start screen at a width of the terminal. */
export const startWidth = (columns: number): number => Math.min(96, columns - 4);

/** Why Enter in the goal field started nothing: a notice that stands in the frame of the field, where it fits there. */
export const fieldNotice = (view: ViewState, columns: number): string | null => {
  const top = view.ui.overlays.at(-1);
  const notice = shownNotice(view);
  if (top?.kind !== 'start' || top.cursor !== 0 || notice === null || notice.tone === 'good') return null;
  const text = withKeys(view, notice.text);
  return widthOf(text) <= startWidth(columns) - 9 ? text : null;
};
