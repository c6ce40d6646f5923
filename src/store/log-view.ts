import type { LogMatches, LogPage, LogRef } from './viewer-port.ts';

/** How the Output tab is read: where one stands, what is folded, and what is looked for. */
export interface LogView {
  /** The first line shown; `null` follows the end. Absolute numbers, so that it stays put while more arrives. */
  readonly top: number | null;
  /** The line under the cursor; `null` while it follows. */
  readonly at: number | null;
  /** Where the log ended when reading began: later lines are new, and fold nothing of what is being read. */
  readonly readEnd: number;
  /** What a person folded (`true`) or unfolded, by `foldKey`. */
  readonly folds: { readonly [key: string]: boolean };
  /** An earlier attempt that was chosen; `null` is the last one. */
  readonly attempt: number | null;
  /** The log file as it is, instead of blocks. */
  readonly raw: boolean;
  /** The piece of the file that was read last. */
  readonly page: ReadPage | null;
  /** First byte of the first line shown of the file; `null` follows its end. */
  readonly pageTop: number | null;
  /** A place that has to be read; `null` when the piece at hand will do. */
  readonly wanted: number | 'end' | null;
  readonly search: LogSearch | null;
}

export interface ReadPage {
  readonly ref: LogRef;
  /** `null`: there is no such file. */
  readonly page: LogPage | null;
}

export interface LogSearch {
  readonly text: string;
  readonly status: 'looking' | 'done' | 'stopped';
  /** In the whole file. */
  readonly found: LogMatches;
  /** The file that was looked through; `null` before anything was found in one. */
  readonly of: LogRef | null;
}

export const emptyLogView: LogView = {
  top: null,
  at: null,
  readEnd: 0,
  folds: {},
  attempt: null,
  raw: false,
  page: null,
  pageTop: null,
  wanted: null,
  search: null,
};

/** The same reader in front of another log: folds and the search stay. */
export const otherLog = (log: LogView, attempt: number | null): LogView => ({
  ...emptyLogView,
  folds: log.folds,
  raw: log.raw,
  attempt,
  search: log.search === null ? null : { ...log.search, ...looking },
});

export const nothingFound: LogMatches = { at: [], done: false, more: false };

/** A search at its beginning. */
export const looking = { status: 'looking', found: nothingFound, of: null } as const;

/** Whether two name the same file. */
export const isSameLog = (one: LogRef | null, other: LogRef | null): boolean =>
  one?.subject === other?.subject && one?.attempt === other?.attempt;

export const foldKey = (log: string, line: number): string => `${log}:${line}`;
