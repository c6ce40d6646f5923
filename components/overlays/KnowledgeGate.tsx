import { withKeys } from '../../src/keymap/table.ts';
import type { KnowledgeOverlay } from '../../src/store/overlay.ts';
import { lessonWords } from '../../src/store/overlays/lesson-words.ts';
import {
  gateBox,
  lastPreviewTop,
  selectPreview,
  selectPreviewed,
} from '../../src/store/overlays/select-preview.ts';
import { windowTop } from '../../src/store/text/window-top.ts';
import type { ViewState } from '../../src/store/view.ts';
import { count } from '../../src/words/local-time.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, fillLine, fitLine, type Line, rowFor, span } from '../parts/span.ts';
import { rowLine } from '../parts/text-row-line.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The lessons of the session, to keep or drop: the files, a preview of the one under the cursor, and the decision with its comment. */
export const KnowledgeGate = ({ view, overlay, hints, columns, rows }: OverlayProps<'knowledge'>) => {
  const theme = useTheme();
  const files = view.session?.gate?.files ?? [];
  const box = gateBox({ columns, rows });
  const { width, height, list: listWidth } = box;
  const inner = width - 4;
  const list = fileLines(view, files, overlay, height, theme);
  const preview = previewLines(view, overlay.top, box.preview, height, theme);
  const body = Array.from(
    { length: height },
    (_, row): Line => [
      ...fillLine(list[row] ?? [], listWidth, theme),
      { ...span(` ${theme.glyphs.bar} `, 'secondary'), target: null },
      ...fitLine(preview[row] ?? [], box.preview, theme),
    ],
  );
  const lines = [...body, blank, decisionLine(view, overlay, files.length, inner)];
  const title = `Keep what was learned? ${overlay.chosen.length} of ${files.length} chosen`;
  return (
    <Modal
      tone="needs-you"
      title={title}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

/** Each lesson in two rows: its kind and title, and what it says. */
const fileLines = (
  view: ViewState,
  files: readonly string[],
  overlay: KnowledgeOverlay,
  height: number,
  theme: Theme,
): readonly Line[] => {
  const room = Math.max(1, Math.floor(height / 2));
  const top = windowTop(files.length, overlay.cursor, room);
  return files.slice(top, top + room).flatMap((file, index): readonly Line[] => {
    const chosen = overlay.chosen.includes(file);
    const here = top + index === overlay.cursor;
    const mark = cursorMark(here, theme);
    const { category, title, says } = lessonWords(view, file);
    return [
      [
        mark,
        span(`${chosen ? theme.glyphs.chosen : theme.glyphs.unchosen} `, chosen ? 'done' : 'secondary'),
        span(category === '' ? '' : `${category.padEnd(12)} `, 'accent'),
        { text: title, bold: here },
      ],
      [mark, span(`  ${says}`, 'secondary')],
    ].map((line) => rowFor({ kind: 'item', item: top + index }, line));
  });
};

const previewLines = (
  view: ViewState,
  top: number,
  width: number,
  height: number,
  theme: Theme,
): readonly Line[] => {
  const file = selectPreviewed(view);
  if (file === null) return [];
  const text = selectPreview(view, width);
  if (text === null)
    return view.ui.previews[file] === null
      ? [[span('This file cannot be read.', 'failed')]]
      : [[span('reading …', 'secondary')]];
  const last = lastPreviewTop(view);
  const from = Math.min(top, last);
  const shown = text
    .slice(from, from + (last > 0 ? height - 1 : height))
    .map((row) => rowLine(row, view, theme));
  if (last === 0) return shown;
  const below = text.length - from - (height - 1);
  const [down, up] = ['{knowledge.page-down}', '{knowledge.page-up}'];
  const more = below > 0 ? `${count(below, 'more line')} · ${down}` : `the end · ${up}`;
  return [...shown, [bold(withKeys(view, more), 'accent')]];
};

const decisionLine = (view: ViewState, overlay: KnowledgeOverlay, total: number, width: number): Line => {
  if (overlay.asking === null)
    return overlay.chosen.length > 0
      ? []
      : [span(withKeys(view, 'None chosen: {knowledge.approve} approves all of them.'), 'secondary')];
  const count = overlay.chosen.length === 0 ? `all ${total}` : `${overlay.chosen.length} of ${total}`;
  const question = overlay.asking === 'approve' ? `Approve ${count}?` : 'Skip, keep none?';
  const label = ' Comment (optional): ';
  const field = editorLines(overlay.editor, Math.max(8, width - question.length - label.length), 1)[0] ?? [];
  return [bold(question, 'needs-you'), span(label, 'secondary'), ...field];
};
