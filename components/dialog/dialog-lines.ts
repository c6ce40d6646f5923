import { overlayRows } from '../draw/page.ts';
import { bold, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { plainTheme } from '../draw/theme.ts';
import { windowTop } from '../draw/window-top.ts';
import type { DialogOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import type { Dialog, DialogLook, MenuDialog, ScreenSize, TextDialog } from './dialog.ts';

/** Columns of the frame, and rows of the screen. */
export const dialogWidth = (
  dialog: Dialog<DialogOverlay>,
  shown: DialogOverlay,
  { columns, rows }: ScreenSize,
): number => Math.min(dialog.widest(shown, { columns, rows }), columns - 4);

/** How far the dialog moves. */
export const dialogLength = (
  dialog: Dialog<DialogOverlay>,
  view: ViewState,
  shown: DialogOverlay,
): number => {
  const { columns, rows } = view.ui.size;
  const width = dialogWidth(dialog, shown, view.ui.size) - 4;
  const now = { ms: 0, offset: 0 };
  const look = { width, columns, rows, now, theme: plainTheme, keys: (text: string) => text };
  return dialog.moves === 'cursor'
    ? dialog.items(view, shown, look).length
    : withoutBlankEnd(dialog.lines(view, shown, look)).length;
};

/** The lines in sight, and how many are not. */
export const dialogLines = (
  dialog: Dialog<DialogOverlay>,
  view: ViewState,
  shown: DialogOverlay,
  look: DialogLook,
): readonly Line[] =>
  dialog.moves === 'cursor' ? menuLines(dialog, view, shown, look) : textLines(dialog, view, shown, look);

const menuLines = (
  dialog: MenuDialog<DialogOverlay>,
  view: ViewState,
  shown: DialogOverlay,
  look: DialogLook,
): readonly Line[] => {
  const above = dialog.above?.(view, shown, look) ?? [];
  const below = dialog.below?.(view, shown, look) ?? [];
  const cursor = 'cursor' in shown ? shown.cursor : 0;
  const items = dialog.items(view, shown, look).map((item, index) => {
    const here = index === cursor;
    return item(here).map((line, row) =>
      rowFor({ kind: 'item', item: index }, [row === 0 ? cursorMark(here, look.theme) : span(' '), ...line]),
    );
  });
  const all = items.flat();
  const room = Math.max(1, overlayRows(look.rows) - above.length - below.length);
  if (all.length <= room) return [...above, ...all, ...below];
  const height = Math.max(1, room - 1);
  const top = windowTop(all.length, items.slice(0, cursor).flat().length, height);
  const left = all.length - top - height;
  const edge = left > 0 ? `  ${left} more below` : '';
  return [...above, ...all.slice(top, top + height), [span(edge, 'secondary')], ...below];
};

const textLines = (
  dialog: TextDialog<DialogOverlay>,
  view: ViewState,
  shown: DialogOverlay,
  look: DialogLook,
): readonly Line[] => {
  const all = dialog.lines(view, shown, look);
  const room = overlayRows(look.rows);
  const text = withoutBlankEnd(all);
  if (text.length <= room) return all;
  const height = room - 1;
  const top = Math.min('top' in shown ? shown.top : 0, text.length - height);
  const below = text.length - top - height;
  const keys = ['down', 'up', 'page-down'].map((move) => `{${shown.kind}.${move}}`).join(' ');
  const where = below > 0 ? `${below} more below` : 'the end';
  const edge = `${where}${dialog.edge?.(shown, look) ?? ''} · ${look.keys(keys)}`;
  const isAsked = dialog.tone?.(view, shown) === 'needs-you';
  return [...text.slice(top, top + height), [isAsked ? bold(edge, 'accent') : span(edge, 'secondary')]];
};

/** A blank line that keeps the text from the keys is none that could be missed. */
const withoutBlankEnd = (lines: readonly Line[]): readonly Line[] =>
  lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
