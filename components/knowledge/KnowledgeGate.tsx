import { count } from '../../src/words/local-time.ts';
import { wholeWords, wrap } from '../../src/words/width.ts';
import { rowLine } from '../details/text-row-line.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, bold, cursorMark, fillLine, fitLine, type Line, rowFor, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import type { KnowledgeOverlay } from '../overlay.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { lessonWords, listedTitles } from './lesson-words.ts';
import { gateBox, lastPreviewTop, selectPreview, selectPreviewed } from './select-preview.ts';

/** The lessons of the session, to keep or drop: the files, a preview of the one under the cursor, and the decision with its comment. */
export const KnowledgeGate = ({ view, overlay, hints, columns, rows }: OverlayProps<'knowledge'>) => {
  const theme = useTheme();
  const files = view.session?.gate?.files ?? [];
  const box = gateBox({ columns, rows });
  const { width, height } = box;
  const inner = width - 4;
  const list = fileLines(view, files, overlay, box, theme);
  const preview = previewLines(view, overlay.top, box.preview, height, theme);
  const body = Array.from(
    { length: height },
    (_, row): Line => [
      ...fillLine(list[row] ?? [], box.list, theme),
      { ...span(` ${theme.glyphs.bar} `, 'secondary'), target: null },
      ...fitLine(preview[row] ?? [], box.preview, theme),
    ],
  );
  const lines = [...body, blank, decisionLine(view, overlay, files.length, inner)];
  const title = `Keep ${files.length === 1 ? 'this lesson' : 'these lessons'}? ${overlay.chosen.length} of ${files.length} chosen`;
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

/** Each lesson: its title, wrapped, and in the last row its kind and the start of what it says. */
const fileLines = (
  view: ViewState,
  files: readonly string[],
  overlay: KnowledgeOverlay,
  { list: width, height }: ReturnType<typeof gateBox>,
  theme: Theme,
): readonly Line[] => {
  const titles = listedTitles(view, files);
  const items = files.map((file, item): readonly Line[] => {
    const chosen = overlay.chosen.includes(file);
    const here = item === overlay.cursor;
    const mark = cursorMark(here, theme);
    const { category, says } = lessonWords(view, file);
    const sign = span(
      `${chosen ? theme.glyphs.chosen : theme.glyphs.unchosen} `,
      chosen ? 'done' : 'secondary',
    );
    const named = wrap(titles[item] ?? file, width - 3).map(
      (text, row): Line => [mark, row === 0 ? sign : span('  '), { text, bold: here }],
    );
    const kind = category === '' ? '' : `${category} `;
    const about = wholeWords(says, width - 3 - kind.length, theme.glyphs.ellipsis);
    const last: Line = [mark, span('  '), span(kind, 'accent'), span(about, 'secondary')];
    return [...named, ...(kind === '' && about === '' ? [] : [last])].map((line) =>
      rowFor({ kind: 'item', item }, line),
    );
  });
  const before = items.slice(0, overlay.cursor).flat().length;
  const own = items[overlay.cursor]?.length ?? 1;
  const top = windowTop(items.flat().length, before + own - 1, height);
  return items.flat().slice(Math.min(top, before), Math.min(top, before) + height);
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
      : [[span('reading…', 'secondary')]];
  const last = lastPreviewTop(view);
  const from = Math.min(top, last);
  const shown = text.slice(from, from + (last > 0 ? height - 1 : height)).map((row) => rowLine(row, theme));
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
      : [
          span(
            withKeys(
              view,
              total === 1
                ? 'Not chosen: {knowledge.approve} keeps it anyway.'
                : 'None chosen: {knowledge.approve} keeps all of them.',
            ),
            'secondary',
          ),
        ];
  const every = total === 1 ? 'it' : `all ${total}`;
  const count = overlay.chosen.length === 0 ? every : `${overlay.chosen.length} of ${total}`;
  const question = overlay.asking === 'approve' ? `Keep ${count}?` : 'Keep none?';
  const label = ' Comment (optional): ';
  const field = editorLines(overlay.editor, Math.max(8, width - question.length - label.length), 1)[0] ?? [];
  return [bold(question, 'needs-you'), span(label, 'secondary'), ...field];
};
