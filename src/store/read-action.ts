import type { Changes, LogMatches, LogPage, LogRef } from './viewer-port.ts';

/** What a key does to the panes one reads in, and what was read for them. */
export type ReadAction =
  /** Folds or unfolds the command under the cursor. */
  | { readonly type: 'block-toggled' }
  /** Puts the cursor on a line of the log, wherever it is. */
  | { readonly type: 'line-chosen'; readonly line: number }
  | { readonly type: 'raw-toggled' }
  /** Shows the log file around a byte. */
  | { readonly type: 'byte-chosen'; readonly at: number }
  | { readonly type: 'attempt-chosen'; readonly attempt: number | null }
  | { readonly type: 'log-read'; readonly ref: LogRef; readonly page: LogPage | null }
  | { readonly type: 'search-started'; readonly text: string }
  | {
      readonly type: 'search-found';
      readonly ref: LogRef;
      readonly text: string;
      readonly found: LogMatches;
    }
  /** While it looks: keeps what it found. Afterwards: forgets it. */
  | { readonly type: 'search-ended' }
  /** The cursor of the events goes to one; `null` follows the newest. */
  | { readonly type: 'event-chosen'; readonly seq: number | null }
  /** Shows all that this event holds, or no longer. */
  | { readonly type: 'event-toggled'; readonly seq: number }
  | { readonly type: 'tasks-filtered'; readonly text: string }
  | { readonly type: 'neighbours-toggled' }
  | { readonly type: 'report-read'; readonly key: string; readonly text: string | null }
  | { readonly type: 'changes-read'; readonly key: string; readonly changes: Changes }
  | { readonly type: 'scope-turned' }
  /** An editor had files: what was read of them is read again. */
  | { readonly type: 'files-edited' };
