import { isSameLog, type LogSearch, looking } from '../draw/log-view.ts';
import type { ViewState } from '../view.ts';
import { selectOutputSubject, selectRaw } from './select-output.ts';

/** The target of `n` (1) or `N` (-1): a line in memory, or a byte of the file. */
type Match = { readonly line: number } | { readonly byte: number };

/** The search in the shown log. Matches in another log, such as an earlier attempt's, do not count here. */
export const selectSearch = (view: ViewState): LogSearch | null => {
  const { search } = view.ui.log;
  if (search === null || search.of === null || isSameLog(search.of, selectOutputSubject(view).ref))
    return search;
  return { ...search, ...looking };
};

/** The next match, wrapping around. `null` when there is none. A match outside of memory is a byte of the file. */
export const selectMatch = (view: ViewState, by: 1 | -1): Match | null => {
  const { log } = view.ui;
  const search = selectSearch(view);
  if (search === null) return null;
  const none = by > 0 ? -1 : Number.MAX_SAFE_INTEGER;
  if (selectRaw(view)) {
    const byte = nextOf(search.found.at, (at) => at, log.pageTop ?? none, by);
    return byte === null ? null : { byte };
  }
  return nextOf(placesOf(view, search), ({ no }) => no, log.at ?? none, by)?.match ?? null;
};

/** The line about the search below the pane: `"foo" 12+ matches`, and on one of them `"foo" 3 of 12`. */
export const selectSearchWords = (view: ViewState): string => {
  const { pageTop, at } = view.ui.log;
  const search = selectSearch(view);
  if (search === null) return '';
  const { found, status } = search;
  const isRaw = selectRaw(view);
  const places = isRaw ? [] : placesOf(view, search);
  const count = isRaw ? found.at.length : places.length;
  const here = isRaw ? found.at.indexOf(pageTop ?? -1) : places.findIndex(({ no }) => no === at);
  if (here >= 0 && found.done && !found.more) return `"${search.text}" ${here + 1} of ${count}`;
  const open = found.more || !found.done ? '+' : '';
  const state = status === 'looking' ? ', looking' : status === 'stopped' ? ', stopped' : '';
  return `"${search.text}" ${count}${open} ${count === 1 && open === '' ? 'match' : 'matches'}${state}`;
};

/** Whether the text contains `wanted`, which is in lower case. */
const matches = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);

/** A match and its position among the lines in memory. A match only in the file is half a line before the next line after it. */
interface Place {
  readonly no: number;
  readonly match: Match;
}

/**
 * All matches in the order of the file: as lines where those are in memory, else as bytes. Lines that only the screen has, such as commands,
 * are included. For a line whose byte is unknown, only the file's match counts once the whole file was searched: otherwise both would count.
 */
const placesOf = (view: ViewState, { text, found }: LogSearch): readonly Place[] => {
  const { log } = selectOutputSubject(view);
  const wanted = text.toLowerCase();
  const places: Place[] = [];
  let next = 0;
  const takeFile = (until: number, no: number): void => {
    for (let byte = found.at[next]; byte !== undefined && byte < until; byte = found.at[next]) {
      places.push({ no: no - 0.5, match: { byte } });
      next += 1;
    }
  };
  const { lines, dropped } = log ?? { lines: [], dropped: 0 };
  lines.forEach((line, index) => {
    const no = dropped + index;
    const byte = line.kind === 'text' ? line.byte : undefined;
    if (byte !== undefined) takeFile(byte, no);
    if (line.kind === 'gap' || !matches(line.text, wanted)) return;
    if (line.kind === 'text' && byte === undefined && found.done) return;
    if (byte !== undefined && found.at[next] === byte) next += 1;
    places.push({ no, match: { line: no } });
  });
  takeFile(Number.MAX_SAFE_INTEGER, dropped + lines.length);
  return places;
};

const nextOf = <P>(places: readonly P[], noOf: (place: P) => number, from: number, by: 1 | -1): P | null =>
  by > 0
    ? (places.find((place) => noOf(place) > from) ?? places[0] ?? null)
    : (places.findLast((place) => noOf(place) < from) ?? places.at(-1) ?? null);
