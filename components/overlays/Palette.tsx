import { paletteRows } from '../../src/keymap/table.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { windowTop } from '../../src/store/text/window-top.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, type Line, rowFor, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** Cells of a command's title; a longer one moves its sentence. */
const titleWidth = 16;

/** Every command by its label, with what it does. An unavailable one shows the reason in place of its key. */
export const Palette = ({ view, overlay, hints, columns, rows }: OverlayProps<'palette'>) => {
  const theme = useTheme();
  const width = Math.min(100, columns - 4);
  const inner = width - 4;
  const found = paletteRows(view);
  // The height does not depend on the matches, so that nothing jumps during typing.
  const height = Math.max(1, Math.min(16, overlayRows(rows) - 3));
  const top = windowTop(found.length, overlay.cursor, height);
  const lines = Array.from({ length: height }, (_, index): Line => {
    const row = found[top + index];
    if (row === undefined)
      return index === 0 && found.length === 0 ? [span('No such command.', 'secondary')] : blank;
    const here = top + index === overlay.cursor;
    const left: Line = [
      cursorMark(here, theme),
      row.why === null ? bold(row.title.padEnd(titleWidth)) : span(row.title.padEnd(titleWidth), 'secondary'),
      span(` ${row.what}`, 'secondary'),
    ];
    return rowFor(
      { kind: 'item', item: top + index },
      spread(left, [row.why === null ? bold(row.keys, 'accent') : span(row.why, 'secondary')], inner, theme),
    );
  });
  const chosen = found[overlay.cursor]?.command.id ?? '';
  const field = editorLines(overlay.editor, inner - 2, 1)[0] ?? [];
  return (
    <Modal
      title={`Commands: ${found.length}`}
      // The id under which `ui.keys` assigns another key.
      lines={[
        [span(': ', 'secondary'), ...field],
        blank,
        ...lines,
        [span(chosen === '' ? '' : `ui.keys: ${chosen}`, 'secondary')],
      ]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
