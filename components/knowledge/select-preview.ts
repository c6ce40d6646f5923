import { markdownLines } from '../../src/words/markdown-lines.ts';
import { type TextRow, textRows } from '../details/text-rows.ts';
import { overlayRows } from '../draw/page.ts';
import type { ViewState } from '../view.ts';
import { lessonBody } from './lesson-words.ts';

/** Cells and rows of the knowledge gate on a screen of this size: the list on its left, the preview on its right. */
export const gateBox = ({ columns, rows }: { readonly columns: number; readonly rows: number }) => {
  const width = Math.min(120, columns - 4);
  const list = Math.min(52, Math.floor((width - 4) * 0.45));
  return {
    width,
    list,
    preview: width - 4 - list - 3,
    height: Math.max(3, Math.min(overlayRows(rows) - 2, 24)),
  };
};

/** The staged file under the gate's cursor. */
export const selectPreviewed = ({ session, ui }: ViewState): string | null => {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'knowledge');
  return overlay?.kind === 'knowledge' ? (session?.gate?.files[overlay.cursor] ?? null) : null;
};

/** The rows of the previewed file, its Markdown rendered. `null` while it is being read, or when it cannot be read. */
export const selectPreview = (view: ViewState, width: number): readonly TextRow[] | null => {
  const text = view.ui.previews[selectPreviewed(view) ?? ''];
  if (text === undefined || text === null) return null;
  const rows = textRows(markdownLines(lessonBody(text)), width);
  return rows[0]?.kind === 'blank' ? rows.slice(1) : rows;
};

/** The last top row of the preview. One row counts the hidden lines. */
export const lastPreviewTop = (view: ViewState): number => {
  const { preview, height } = gateBox(view.ui.size);
  const lines = selectPreview(view, preview)?.length ?? 0;
  return lines <= height ? 0 : lines - height + 1;
};
