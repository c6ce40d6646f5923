import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import type { Diff } from '../../src/words/diff/diff.ts';
import { fileOfRow } from '../../src/words/diff/file-of-row.ts';
import { fileWords } from '../../src/words/diff/file-words.ts';
import { truncateMiddle } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import { blank, bold, cursorMark, type Line, path, rowFor, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { readingOf } from '../reading.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { rowOfLine } from './comment-place.ts';
import { countsLine, pairLine, rowLine } from './diff-lines.ts';
import { selectFoundWords } from './search-diff.ts';
import { nextScopeWords } from './select-changes.ts';
import type { PageLine } from './select-page.ts';
import { type LaidPage, lineAt, selectLaid, selectView } from './select-window.ts';

/** The changes of the task's attempt or of the session: the files, then the diff. Only the lines in sight are looked at. */
export const ChangesPane = ({ view, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const laid = selectLaid(view);
  const room = Math.max(1, height - 1);
  const { top, at } = selectView(view, laid, room);
  const { left, find } = readingOf(view.ui, 'changes');
  const look = { theme, width: width - 1, left, wanted: find.toLowerCase() };
  const draw = (line: number): Line => {
    const found = lineAt(laid, line);
    const mark =
      line === at
        ? cursorMark(true, theme, focused)
        : isCommented(found)
          ? span(theme.glyphs.chosen, 'needs-you')
          : span(' ');
    const target = { kind: 'row', pane: 'changes', at: String(found.place) } as const;
    return rowFor(target, [mark, ...textOf(found)]);
  };
  const commented = commentedRows(laid);
  const isCommented = (found: ReturnType<typeof lineAt>): boolean =>
    found.kind !== 'page' && commented.has(found.kind === 'row' ? found.row : found.right);
  const textOf = (found: ReturnType<typeof lineAt>): Line => {
    if (found.kind === 'page') return pageLine(found.line, view, look.width, theme);
    if (laid.diff === null) return blank;
    const of = { ...look, diff: laid.diff, digits: digitsOf(laid.diff) };
    return found.kind === 'row' ? rowLine(found.row, of) : pairLine(found.left, found.right, of);
  };
  const count = Math.max(0, Math.min(room, laid.lines - top));
  const lines = Array.from({ length: count }, (_, index) => draw(top + index));
  const head = headLine(view, laid, { top, room }, width, theme);
  return <Lines lines={[head, ...lines]} width={width} height={height} />;
};

/** The rows of the lines that were commented on. */
const commentedRows = ({ diff, list }: LaidPage): ReadonlySet<number> =>
  new Set(
    list.flatMap((line) => {
      const row = diff !== null && line.kind === 'comment' ? rowOfLine(diff, line.comment) : null;
      return row === null ? [] : [row];
    }),
  );

/** Digits of the longest line number. */
const digitsOf = memoise(({ before, after }: Diff): number => {
  let most = 1;
  for (const numbers of [before, after]) for (const number of numbers) if (number > most) most = number;
  return String(most).length;
});

/** The title, then the file in sight, or above the diff what else could be shown; at the end the search, or how far one has read. */
const headLine = (
  view: ViewState,
  laid: LaidPage,
  { top, room }: { readonly top: number; readonly room: number },
  width: number,
  theme: Theme,
): Line => {
  if (laid.title === '') return blank;
  const first = lineAt(laid, top);
  const row =
    first.kind === 'row' ? first.row : first.kind === 'pair' ? Math.max(first.left, first.right) : -1;
  const file = laid.diff === null ? null : fileOfRow(laid.diff, row);
  const other = ` · {read.scope} shows ${nextScopeWords(view)}`;
  const find = selectFoundWords(view);
  const read = laid.lines <= room ? '' : `${Math.round(((top + room) / laid.lines) * 100)}% `;
  const right: Line = find === '' ? [span(read, 'secondary')] : [bold(`${find} `, 'held')];
  const left = Math.max(8, width - laid.title.length - (find === '' ? read : find).length - 6);
  return spread(
    [
      span(` ${laid.title}`, 'accent'),
      file === null
        ? span(withKeys(view, other), 'secondary')
        : bold(` · ${truncateMiddle(safe(file.path), left, theme.glyphs.ellipsis)}`),
    ],
    right,
    width,
    theme,
  );
};

const pageLine = (line: PageLine, view: ViewState, width: number, theme: Theme): Line => {
  switch (line.kind) {
    case 'review':
      return [span(withKeys(view, line.text), 'needs-you')];
    case 'comment':
      return [span(`${theme.glyphs.chosen} `, 'needs-you'), span(line.text)];
    case 'blank':
      return blank;
    case 'text':
      return [bold(line.text)];
    case 'missing':
      return [span(line.text, 'secondary')];
    case 'file': {
      const words = line.of === null ? '' : fileWords(line.of);
      return spread(
        [span('· ', 'secondary'), path(line.text), span(words === '' ? '' : ` · ${words}`, 'secondary')],
        countsLine(line.added, line.removed),
        width,
        theme,
      );
    }
  }
};
