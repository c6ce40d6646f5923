/** The reading position and filter of one pane. Each pane decides what `at` names. */
export interface Reading {
  /** The item under the cursor. `null` follows the newest, or there is no cursor. */
  readonly at: string | null;
  /** First row in sight. `null` keeps the cursor, or the newest, in sight. */
  readonly top: number | null;
  /** Shows all of the item under the cursor. */
  readonly open: boolean;
  /** An item must contain these words to be shown. '' shows all. */
  readonly filter: string;
  /** Cells cut off at the left of every line. */
  readonly left: number;
  /** Shows what it is made of, as it is written. */
  readonly raw: boolean;
  /** The words last searched for. '' is no search. */
  readonly find: string;
}

const unread: Reading = { at: null, top: null, open: false, filter: '', left: 0, raw: false, find: '' };

/** The reading position of the pane with this name. */
export const readingOf = (
  ui: { readonly readings: { readonly [pane: string]: Reading } },
  pane: string,
): Reading => ui.readings[pane] ?? unread;
