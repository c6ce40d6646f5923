import type { ChangesPage, PageLine } from '../../components/changes/select-page.ts';
import { type Diff, rowKind } from '../../src/words/diff/diff.ts';
import { fileOfRow } from '../../src/words/diff/file-of-row.ts';
import { rowText } from '../../src/words/diff/row-text.ts';

/** What the Changes tab says, one string a line. */
export const pageText = ({ list, diff, foot }: ChangesPage): readonly string[] => [
  ...list.map(lineText),
  ...(diff === null ? [] : Array.from(diff.kinds, (_, row) => rowLine(diff, row))),
  ...foot.map(lineText),
];

const lineText = (line: PageLine): string => (line.kind === 'blank' ? '' : line.text);

const rowLine = (diff: Diff, row: number): string => {
  const kind = diff.kinds[row];
  if (kind === rowKind.file) return fileOfRow(diff, row)?.path ?? '';
  const sign =
    kind === rowKind.added ? '+' : kind === rowKind.removed ? '-' : kind === rowKind.context ? ' ' : '';
  return `${sign}${rowText(diff, row)}`;
};
