import { foldKey, isSameLog, type LogSearch, type LogView, looking, otherLog } from '../draw/log-view.ts';
import { selectLayout } from '../layout.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import type { ReadAction } from './read-action.ts';
import {
  selectBlock,
  selectCursor,
  selectOutputRows,
  selectOutputSubject,
  selectRaw,
} from './select-output.ts';

/** Text rows of the right pane. One more row is reserved for the line below the text. */
export const rowsOfText = (view: ViewState): number => Math.max(1, selectLayout(view).top - 2);

/** The reading state of the Output tab after a key's action, or after a piece of its file was read. */
export const reduceLog = (view: ViewState, action: ReadAction): LogView => {
  const { log } = view.ui;
  switch (action.type) {
    case 'block-toggled':
      return toggleBlock(view);
    case 'line-chosen':
      return showLine(view, action.line);
    case 'raw-toggled':
      return { ...log, raw: !selectRaw(view), pageTop: null, wanted: null, top: null, at: null };
    case 'thoughts-toggled':
      return { ...log, thoughts: !log.thoughts };
    case 'byte-chosen':
      return { ...log, raw: true, pageTop: action.at, wanted: action.at };
    case 'attempt-chosen':
      return otherLog(log, action.attempt);
    case 'log-read':
      return { ...log, page: { ref: action.ref, page: action.page }, wanted: null };
    case 'search-started':
      return {
        ...log,
        search: action.text === '' ? null : { text: action.text, ...looking },
      };
    case 'search-found':
      return { ...log, search: log.search && searchFound(log.search, action) };
    case 'search-ended':
      return log.search?.status === 'looking'
        ? { ...log, search: { ...log.search, status: 'stopped' } }
        : { ...log, search: null };
    default:
      return log;
  }
};

/** Ignores results of a stopped search. A search of another file continues all the same. */
const searchFound = (
  search: LogSearch,
  { ref, text, found }: Extract<ReadAction, { type: 'search-found' }>,
): LogSearch => {
  const isGivenUp = search.status === 'stopped' && (search.of === null || isSameLog(search.of, ref));
  if (search.text !== text || isGivenUp) return search;
  return { text, status: found.done ? 'done' : 'looking', found, of: ref };
};

const toggleBlock = (view: ViewState): LogView => {
  const { log } = view.ui;
  const at = selectCursor(view);
  const block = at === null ? null : selectBlock(view, at);
  if (block === null) return log;
  const { key } = selectOutputSubject(view);
  const row = selectOutputRows(view).find(({ no }) => no === block);
  const isEdit = row?.line.kind === 'command' && row.line.diff !== undefined;
  const folded = row !== undefined && (row.hidden > 0 || (isEdit && !row.open));
  return {
    ...log,
    at: log.at === null ? null : block,
    folds: { ...log.folds, [foldKey(key, block)]: !folded },
  };
};

/** Starts reading before anything moved, so that the lines on screen stay. */
const begin = (view: ViewState): LogView => {
  const { log } = view.ui;
  if (log.top !== null) return log;
  const rows = selectOutputRows(view);
  const kept = selectOutputSubject(view).log;
  const first = rows[Math.max(0, rows.length - rowsOfText(view) - 1)];
  return {
    ...log,
    top: first?.no ?? 0,
    at: rows.at(-1)?.no ?? 0,
    readEnd: kept === null ? 0 : kept.dropped + kept.lines.length,
  };
};

/** Opens the line's block. Places the line a third down the pane unless it is in sight. */
const showLine = (view: ViewState, line: number): LogView => {
  const block = selectBlock(view, line);
  const { key } = selectOutputSubject(view);
  const begun = begin(view);
  const folds =
    block === null || block === line ? begun.folds : { ...begun.folds, [foldKey(key, block)]: false };
  const opened = { ...view, ui: { ...view.ui, log: { ...begun, folds } } };
  const rows = selectOutputRows(opened);
  const at = rows.findIndex((row) => row.no === line);
  const first = rows.findIndex((row) => row.no >= (begun.top ?? 0));
  const inSight = at >= first && at < first + rowsOfText(view);
  const top = inSight ? begun.top : (rows[Math.max(0, at - Math.floor(rowsOfText(view) / 3))]?.no ?? null);
  return { ...begun, folds, raw: false, at: line, top };
};

/** Moves the cursor, and the window when the cursor would leave it. Below the last line it follows again. */
export const moveInLog = (view: ViewState, by: Move): LogView => {
  if (selectRaw(view)) return moveInFile(view, by);
  const { log } = view.ui;
  const rows = selectOutputRows(view);
  if (by === 'last' || rows.length === 0) return { ...log, top: null, at: null };
  if (log.top === null && (by === 'down' || by === 'page-down' || by === 'half-down')) return log;
  const begun = begin(view);
  const height = rowsOfText(view);
  const now = Math.max(
    0,
    rows.findIndex((row) => row.no >= (begun.at ?? 0)),
  );
  const last = rows.length - 1;
  const next = stepBy(now, by, rows.length, height);
  if (next === last && now === last && by !== 'up') return { ...log, top: null, at: null };
  const first = Math.max(
    0,
    rows.findIndex((row) => row.no >= (begun.top ?? 0)),
  );
  const top = next < first ? next : next >= first + height ? next - height + 1 : first;
  return { ...begun, at: rows[next]?.no ?? null, top: rows[top]?.no ?? null };
};

/** Moves the window, and the cursor only when it would leave the window. At the end it follows again. */
export const scrollLog = (view: ViewState, by: 'wheel-up' | 'wheel-down'): LogView => {
  if (selectRaw(view)) return moveInFile(view, by);
  const { log } = view.ui;
  const rows = selectOutputRows(view);
  const height = rowsOfText(view);
  if (rows.length <= height || (log.top === null && by === 'wheel-down')) return log;
  const begun = begin(view);
  const placeOf = (no: number | null): number =>
    Math.max(
      0,
      rows.findIndex((row) => row.no >= (no ?? 0)),
    );
  const top = stepBy(placeOf(begun.top), by, rows.length, height);
  if (by === 'wheel-down' && top + height >= rows.length) return { ...log, top: null, at: null };
  const at = Math.max(top, Math.min(top + height - 1, placeOf(begun.at)));
  return { ...begun, at: rows[at]?.no ?? null, top: rows[top]?.no ?? null };
};

/** Lines kept above and below the window before another piece of the file is read. */
const margin = 50;

const moveInFile = (view: ViewState, by: Move): LogView => {
  const { log } = view.ui;
  const page = log.page?.page ?? null;
  if (by === 'last') return { ...log, pageTop: null, wanted: 'end' };
  if (by === 'first') return { ...log, pageTop: 0, wanted: 0 };
  if (page === null) return log;
  const { lines } = page;
  const height = rowsOfText(view);
  const found = lines.findIndex((line) => line.at >= (log.pageTop ?? Number.MAX_SAFE_INTEGER));
  const now = found < 0 ? Math.max(0, lines.length - height) : found;
  const next = stepBy(now, by, lines.length, height);
  const atEnd = page.to >= page.size;
  if (atEnd && next + height >= lines.length && by.includes('down'))
    return { ...log, pageTop: null, wanted: null };
  const top = lines[next]?.at ?? 0;
  const near = (next < margin && page.from > 0) || (next + height + margin > lines.length && !atEnd);
  return { ...log, pageTop: top, wanted: near ? top : null };
};
