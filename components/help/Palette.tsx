import { truncate, widthOf, wrap } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, bold, cursorMark, type Line, rowFor, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import { paletteRows } from '../table.ts';
import type { PaletteRow } from './palette-rows.ts';

/** Cells of a command's title; a longer one moves its sentence. */
const titleWidth = 16;

/** Rows for the words of the chosen command that are cut in its row. */
const wholeHeight = 2;

/** Every command by its label, with what it does. The last ones cannot be used now and show the reason in place of their key. */
export const Palette = ({ view, overlay, hints, columns, rows }: OverlayProps<'palette'>) => {
  const theme = useTheme();
  const width = Math.min(100, columns - 4);
  const inner = width - 4;
  const found = paletteRows(view);
  const firstUnusable = found.findIndex(({ why }) => why !== null);
  const drawn = found.map((row, index) => {
    const line = commandLine(row, index === overlay.cursor, inner, theme);
    return rowFor({ kind: 'item', item: index }, line);
  });
  const headed: readonly Line[] =
    firstUnusable < 0
      ? drawn
      : [...drawn.slice(0, firstUnusable), [span(' Not now', 'secondary')], ...drawn.slice(firstUnusable)];
  const lines = found.length === 0 ? [[span('No such command.', 'secondary')]] : headed;
  // The height does not depend on the matches, so that nothing jumps during typing.
  const height = Math.max(1, Math.min(18, overlayRows(rows) - 4 - wholeHeight));
  const at = overlay.cursor + (firstUnusable >= 0 && overlay.cursor >= firstUnusable ? 1 : 0);
  const top = windowTop(lines.length, at, height);
  const beyond = Math.max(0, lines.length - top - height);
  const field = editorLines(overlay.editor, inner - 2, 1)[0] ?? [];
  const chosen = found[overlay.cursor];
  const whole = chosen === undefined ? [] : wholeWords(chosen, inner);
  return (
    <Modal
      title={`Commands: ${found.length}`}
      lines={[
        [span(': ', 'accent'), ...field],
        blank,
        ...Array.from({ length: height }, (_, index) => lines[top + index] ?? blank),
        [span(beyond > 0 ? ` ${beyond} more below` : '', 'secondary')],
        ...Array.from({ length: wholeHeight }, (_, index) => [span(whole[index] ?? '', 'secondary')]),
      ]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const commandLine = (row: PaletteRow, here: boolean, width: number, theme: Theme): Line => {
  const title = row.title.padEnd(titleWidth);
  const left = [cursorMark(here, theme), row.why === null ? bold(title) : span(title, 'secondary')];
  const what = span(` ${row.what}`, 'secondary');
  if (row.why === null) return spread([...left, what], [bold(row.keys, 'accent')], width, theme);
  const why = truncate(row.why, reasonRoom(row, width), theme.glyphs.ellipsis);
  return spread([...left, what], [span(why, 'secondary')], width, theme);
};

/** A reason gets half of the row, and what the sentence leaves. */
const reasonRoom = ({ title, what }: PaletteRow, width: number): number =>
  Math.max(Math.floor(width / 2) - 4, width - leftWidth(title, what) - 2);

const leftWidth = (title: string, what: string): number =>
  2 + Math.max(titleWidth, widthOf(title)) + widthOf(what);

/** The sentence and the reason of a command where the row does not have room for both. */
const wholeWords = ({ title, what, keys, why }: PaletteRow, width: number): readonly string[] => {
  const isWhole = leftWidth(title, what) + 2 + widthOf(why ?? keys) <= width;
  return isWhole ? [] : wrap([what, why ?? ''].filter((part) => part !== '').join(' · '), width);
};
