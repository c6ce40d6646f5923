import { safe } from '../../src/base/safe.ts';
import { overlayRows } from '../../src/store/page.ts';
import { truncateMiddle, widthOf } from '../../src/store/width.ts';
import { windowTop } from '../../src/store/window-top.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, rowFor, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** Every session of this workspace and of the others a screen has shown before. */
export const Sessions = ({ overlay, hints, columns, rows }: OverlayProps<'sessions'>) => {
  const theme = useTheme();
  const width = Math.min(100, columns - 4);
  const height = Math.max(1, overlayRows(rows) - 2);
  const top = windowTop(overlay.rows.length, overlay.cursor, height);
  const lines = overlay.rows.slice(top, top + height).map((row, index): Line => {
    const here = top + index === overlay.cursor;
    const runs = row.pid === null ? '' : ` · pid ${row.pid}`;
    const what = `  ${row.status} ${row.progress}${runs}${row.shown ? ' · shown now' : ''}`;
    const room = width - 4 - 1 - row.session.length - widthOf(what) - 2 - row.ago.length - 1;
    const line = spread(
      [
        span(here ? theme.glyphs.cursor : ' ', 'accent'),
        { text: row.session, bold: here },
        span(what),
        span(`  ${truncateMiddle(safe(row.workspace), room, theme.glyphs.ellipsis)}`, 'quiet'),
      ],
      [span(row.ago, 'quiet')],
      width - 4,
      theme,
    );
    return rowFor({ kind: 'item', item: top + index }, line);
  });
  const title = `Sessions: ${overlay.rows.length}`;
  return (
    <Modal
      title={title}
      lines={[blank, ...lines, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
