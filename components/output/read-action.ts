import type { Changes, LogMatches, LogPage, LogRef } from '../ports/viewer-port.ts';
import type { Reading } from '../reading.ts';
import type { ChangesScope } from '../view.ts';

/** Actions of the panes with text, and the results of reading files for them. */
export type ReadAction =
  /** Folds or unfolds the command under the cursor. */
  | { readonly type: 'block-toggled' }
  /** Puts the cursor on any line of the log. */
  | { readonly type: 'line-chosen'; readonly line: number }
  | { readonly type: 'raw-toggled' }
  /** Unfolds or folds what agents think aloud. */
  | { readonly type: 'thoughts-toggled' }
  /** Shows the other pane in the third column. */
  | { readonly type: 'third-turned' }
  /** Shows a shorter or a longer part of the timeline. */
  | { readonly type: 'timeline-zoomed'; readonly by: -1 | 1 }
  /** Shows the tasks in the next form: waves, graph, list. */
  | { readonly type: 'tasks-form-turned' }
  /** Folds or unfolds the finished parts of the graph. */
  | { readonly type: 'folding-toggled' }
  /** Looks for a task with these words: the first one, or the next one after the cursor. */
  | { readonly type: 'task-looked-for'; readonly text: string; readonly by: -1 | 0 | 1 }
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
  /** Stops a running search and keeps its matches. Otherwise forgets the search. */
  | { readonly type: 'search-ended' }
  /** Changes the reading position in a pane. */
  | { readonly type: 'read'; readonly pane: string; readonly change: Partial<Reading> }
  /** Narrows a pane to the items with these words. */
  | { readonly type: 'filtered'; readonly pane: string; readonly text: string }
  | { readonly type: 'neighbours-toggled' }
  /** The text of a file in the workspace, such as the plan of an issue under review. */
  | { readonly type: 'document-read'; readonly key: string; readonly text: string | null }
  | { readonly type: 'report-read'; readonly key: string; readonly text: string | null }
  | { readonly type: 'changes-read'; readonly key: string; readonly changes: Changes }
  /** Without `to`: the next one. */
  | { readonly type: 'scope-turned'; readonly to?: ChangesScope }
  /** Old and new lines in one column, or in two. */
  | { readonly type: 'columns-turned' }
  /** Files were open in an editor: reads them again. */
  | { readonly type: 'files-edited' };
