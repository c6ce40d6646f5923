import type { LogMatches, LogPage, LogRef } from '../ports/viewer-port.ts';

/** The reading state of the Output tab: position, folds and search. */
export interface LogView {
  /** The first line shown; `null` follows the end. Absolute numbers, so that it stays put while more arrives. */
  readonly top: number | null;
  /** The line under the cursor; `null` while it follows. */
  readonly at: number | null;
  /** Where the log ended when reading began. Later lines are new, and fold nothing in view. */
  readonly readEnd: number;
  /** Blocks that a person folded (`true`) or unfolded, by `foldKey`. */
  readonly folds: { readonly [key: string]: boolean };
  /** The chosen earlier attempt. `null` is the last one. */
  readonly attempt: number | null;
  /** Shows what agents think aloud whole, not in one line each. */
  readonly thoughts: boolean;
  /** Shows the log file as it is, instead of blocks. */
  readonly raw: boolean;
  /** The last piece read from the file. */
  readonly page: ReadPage | null;
  /** First byte of the first line shown of the file. `null` follows its end. */
  readonly pageTop: number | null;
  /** A position in the file that must be read. `null` when the current piece suffices. */
  readonly wanted: number | 'end' | null;
  readonly search: LogSearch | null;
}

interface ReadPage {
  readonly ref: LogRef;
  /** `null`: there is no such file. */
  readonly page: LogPage | null;
}

export interface LogSearch {
  readonly text: string;
  readonly status: 'looking' | 'done' | 'stopped';
  /** Matches in the whole file. */
  readonly found: LogMatches;
  /** The searched file. `null` before the first results. */
  readonly of: LogRef | null;
}

export const emptyLogView: LogView = {
  top: null,
  at: null,
  readEnd: 0,
  folds: {},
  attempt: null,
  thoughts: false,
  raw: false,
  page: null,
  pageTop: null,
  wanted: null,
  search: null,
};

/** The reading state for another log: folds and the search stay. */
export const otherLog = (log: LogView, attempt: number | null): LogView => ({
  ...emptyLogView,
  folds: log.folds,
  thoughts: log.thoughts,
  raw: log.raw,
  attempt,
  search: log.search === null ? null : { ...log.search, ...looking },
});

const nothingFound: LogMatches = { at: [], done: false, more: false };

/** A search that has just started. */
export const looking = { status: 'looking', found: nothingFound, of: null } as const;

/** Whether both refer to the same file. */
export const isSameLog = (one: LogRef | null, other: LogRef | null): boolean =>
  one?.subject === other?.subject && one?.attempt === other?.attempt;

export const foldKey = (log: string, line: number): string => `${log}:${line}`;

/** The reading state for another log, at its end. */
export const resetLog = (log: LogView): LogView => ({
  ...emptyLogView,
  folds: log.folds,
  thoughts: log.thoughts,
});
