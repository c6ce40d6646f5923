import { overlayRows } from './page.ts';
import type { ViewState } from './view.ts';
import { wrap } from './width.ts';

/** Cells and rows of the knowledge gate on a screen of so many: the list on its left, the preview on its right. */
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

/** Its lines as they are broken there; `null` while it is read, or where it cannot be. The front matter is for programs: what one decides upon comes after it. */
export const selectPreview = (view: ViewState, width: number): readonly string[] | null => {
  const text = view.ui.previews[selectPreviewed(view) ?? ''];
  if (text === undefined || text === null) return null;
  return wrap(text.replace(/^---\n[\s\S]*?\n---\n+/, '').replaceAll('\t', '  '), width);
};

/** How far down the preview goes. One row tells what is out of sight. */
export const lastPreviewTop = (view: ViewState): number => {
  const { preview, height } = gateBox(view.ui.size);
  const lines = selectPreview(view, preview)?.length ?? 0;
  return lines <= height ? 0 : lines - height + 1;
};
