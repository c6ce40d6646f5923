import { memoiseLast } from '../../src/base/memoise.ts';
import type { Diff } from '../../src/words/diff/diff.ts';
import { readingOf } from '../reading.ts';
import type { ViewState } from '../view.ts';
import { selectPage } from './select-page.ts';
import { selectRow } from './select-row.ts';

/** The rows of a diff with these words, whatever the case, each once. One pass over the text, kept for the last words. */
const rowsWith = memoiseLast<Diff, string, readonly number[]>(
  (one, other) => one === other,
  (diff, words) => {
    const rows: number[] = [];
    const wanted = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
    let row = 0;
    for (const match of diff.text.matchAll(wanted)) {
      while (row + 1 < diff.places.length && (diff.places[row + 1] ?? 0) <= match.index) row += 1;
      if (rows.at(-1) !== row) rows.push(row);
    }
    return rows;
  },
);

/** The rows that the search found, and the words. '' is no search. */
const selectFound = (
  view: ViewState,
  words = readingOf(view.ui, 'changes').find,
): { readonly words: string; readonly rows: readonly number[] } => {
  const { diff } = selectPage(view);
  return { words, rows: words === '' || diff === null ? [] : rowsWith(diff, words) };
};

/** The next row with the words from the cursor on, around the end. `null`: no row has them. */
export const selectNextFound = (view: ViewState, by: 1 | -1, words?: string): number | null => {
  const { rows } = selectFound(view, words);
  const here = selectRow(view, selectPage(view).diff);
  return by > 0
    ? (rows.find((row) => row > here) ?? rows[0] ?? null)
    : (rows.findLast((row) => row < here) ?? rows.at(-1) ?? null);
};

/** `"foo" 3 of 12`, or `"foo" 12 lines` away from them. '' without a search. */
export const selectFoundWords = (view: ViewState): string => {
  const { words, rows } = selectFound(view);
  if (words === '') return '';
  const at = rows.indexOf(selectRow(view, selectPage(view).diff));
  const many = `${rows.length} ${rows.length === 1 ? 'line' : 'lines'}`;
  return `"${words}" ${at < 0 ? many : `${at + 1} of ${rows.length}`}`;
};
