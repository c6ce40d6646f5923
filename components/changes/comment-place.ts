import { type Diff, rowKind } from '../../src/words/diff/diff.ts';
import { fileOfRow } from '../../src/words/diff/file-of-row.ts';
import { lineInFile } from '../../src/words/diff/row-of-file.ts';
import type { ViewState } from '../view.ts';
import type { Comment } from './review.ts';
import { selectPage } from './select-page.ts';
import { selectRow } from './select-row.ts';

/** The file and the line that a comment on the cursor's row is about. `null` where there is no line. */
export const selectCommentPlace = (view: ViewState): Pick<Comment, 'file' | 'line'> | null => {
  const { diff } = selectPage(view);
  const row = selectRow(view, diff);
  const file = diff === null ? null : fileOfRow(diff, row);
  // A comment is one line of text that begins with the name of the file.
  if (diff === null || file === null || file.path.includes('\n')) return null;
  return { file: file.path, line: lineInFile(diff, row) };
};

/** The row that shows a line of a file as it is now; `null` where the diff does not reach. */
export const rowOfLine = (diff: Diff, { file, line }: Pick<Comment, 'file' | 'line'>): number | null => {
  const found = diff.files.find(({ path }) => path === file);
  if (found === undefined) return null;
  for (let row = found.top; row < found.end; row += 1)
    if (diff.after[row] === line && diff.kinds[row] !== rowKind.hunk) return row;
  return null;
};
