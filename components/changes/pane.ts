import { join } from 'node:path';
import { fileOfRow } from '../../src/words/diff/file-of-row.ts';
import { copyRow, lineInFile } from '../../src/words/diff/row-of-file.ts';
import type { Copyable } from '../pane/copyable.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { type Reading, readingOf } from '../reading.ts';
import { copyTask } from '../tasks/copy-task.ts';
import type { UiAction } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { rowOfLine } from './comment-place.ts';
import { goToRow, moveInChanges } from './move-in-diff.ts';
import { type PageLine, selectPage } from './select-page.ts';
import { selectRow } from './select-row.ts';
import { lineAt, lineOfPlace, selectLaid } from './select-window.ts';

/** The changes of the task's attempt or of the session, from git. */
export const changesPane = {
  ...plainPane,
  name: 'changes',
  title: 'Changes',
  short: 'Diff',
  inLines: { word: 'diff' },
  keys: [
    'read.scope',
    'changes.next-file',
    'changes.columns',
    'changes.previous-file',
    'read.next-failure',
    'read.previous-failure',
    'read.search',
    'read.next-match',
    'read.previous-match',
    'review.comment',
    'changes.undo',
    'look.open-in-editor',
  ],
  kind: 'tab',
  ofTask: true,
  followsTask: true,
  // Files change while the tab is hidden: asks git again.
  arrive: { changes: {} },
  copy: (view) => copied(view) ?? copyTask(view),
  move: moveInChanges,
  sideways: () => true,
  open: (view) => {
    const line = lineUnderCursor(view);
    if (line?.kind === 'comment') {
      const { diff } = selectPage(view);
      const row = diff === null ? null : rowOfLine(diff, line.comment);
      return row === null ? 'The diff no longer contains that line' : [goToRow(view, row)];
    }
    const file = underCursor(view);
    if (file === null)
      return 'There is nothing to open here: {look.open} on a file in the list goes to its changes; {read.scope} shows the task or the session';
    return file.of === null ? `git shows no changes to ${file.text}` : [goToRow(view, file.of.top)];
  },
  back: (view) => {
    const { find, at, left } = readingOf(view.ui, 'changes');
    if (find !== '') return reads({ find: '' });
    return at === null && left === 0 ? null : reads({ at: null, top: null, left: 0 });
  },
} as const satisfies Pane<'changes'>;

const reads = (change: Partial<Reading>): UiAction => ({ type: 'read', pane: 'changes', change });

/** The line above or below the diff under the cursor. */
const lineUnderCursor = (view: ViewState): PageLine | null => {
  const laid = selectLaid(view);
  const place = readingOf(view.ui, 'changes').at;
  const found = place === null ? null : lineAt(laid, lineOfPlace(laid, Number(place)));
  return found?.kind === 'page' ? found.line : null;
};

/** The file of the list under the cursor. */
const underCursor = (view: ViewState) => {
  const line = lineUnderCursor(view);
  return line?.kind === 'file' ? line : null;
};

/** A hunk, a line or a file's part of the diff, and the file with the line to open. */
const copied = (view: ViewState): Copyable | null => {
  const { session } = view;
  if (session === null) return null;
  const listed = underCursor(view);
  const laid = selectLaid(view);
  const row = selectRow(view, laid.diff);
  const file = listed?.of ?? (laid.diff === null ? null : fileOfRow(laid.diff, row));
  if (laid.diff === null || file === null) return null;
  const at = listed === null ? row : file.top;
  return {
    text: copyRow(laid.diff, at),
    path: file.kind === 'deleted' ? null : join(session.workspace, file.path),
    line: lineInFile(laid.diff, at),
  };
};
