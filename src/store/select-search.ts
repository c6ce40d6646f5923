import type { OutputLine } from './output-book.ts';
import { selectOutputSubject, selectRaw } from './select-output.ts';
import type { ViewState } from './view.ts';

/** Where `n` (1) or `N` (-1) goes: a line at hand, or a byte of the file. */
export type Match = { readonly line: number } | { readonly byte: number };

/** The next match, around the end; `null` when there is none. What is at hand is looked through first, then the file. */
export const selectMatch = (view: ViewState, by: 1 | -1): Match | null => {
  const { log } = view.ui;
  if (log.search === null) return null;
  const inFile = log.search.found.at;
  if (selectRaw(view)) {
    const byte = nextOf(inFile, log.pageTop ?? (by > 0 ? -1 : Number.MAX_SAFE_INTEGER), by);
    return byte === null ? null : { byte };
  }
  const line = nextOf(matchingLines(view), log.at ?? (by > 0 ? -1 : Number.MAX_SAFE_INTEGER), by);
  if (line !== null) return { line };
  const byte = nextOf(inFile, -1, by);
  return byte === null ? null : { byte };
};

/** What stands below the pane of the search: `"foo" 12+ matches`, and on one of them `"foo" 3 of 12`. */
export const selectSearchWords = (view: ViewState): string => {
  const { search } = view.ui.log;
  if (search === null) return '';
  const { found, status } = search;
  const atHand = matchingLines(view);
  const count = Math.max(found.at.length, atHand.length);
  const here = selectRaw(view)
    ? found.at.indexOf(view.ui.log.pageTop ?? -1)
    : atHand.indexOf(view.ui.log.at ?? -1);
  if (here >= 0 && found.done && !found.more) {
    // What is at hand is the end of the file.
    const before = selectRaw(view) ? 0 : count - atHand.length;
    return `"${search.text}" ${before + here + 1} of ${count}`;
  }
  const open = found.more || !found.done ? '+' : '';
  const state = status === 'looking' ? ', looking' : status === 'stopped' ? ', stopped' : '';
  return `"${search.text}" ${count}${open} ${count === 1 && open === '' ? 'match' : 'matches'}${state}`;
};

/** Whether it says anything that a search in lower case looks for. */
export const matches = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);

const matchingLines = (view: ViewState): readonly number[] => {
  const { log } = selectOutputSubject(view);
  const wanted = view.ui.log.search?.text.toLowerCase() ?? '';
  if (log === null || wanted === '') return [];
  return log.lines.flatMap((line: OutputLine, index) =>
    matches(line.text, wanted) ? [log.dropped + index] : [],
  );
};

const nextOf = (places: readonly number[], from: number, by: 1 | -1): number | null =>
  by > 0
    ? (places.find((place) => place > from) ?? places[0] ?? null)
    : (places.findLast((place) => place < from) ?? places.at(-1) ?? null);
