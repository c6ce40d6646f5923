import { safe } from '../../src/base/safe.ts';
import { truncate, truncateMiddle, widthOf } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, cursorMark, type Line, rowFor, span, spread } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import type { SessionChoice } from './start-list.ts';

/** Every session of this workspace, and of others that a screen has shown before. */
export const Sessions = ({ overlay, hints, columns, rows }: OverlayProps<'sessions'>) => {
  const theme = useTheme();
  const width = Math.min(100, columns - 4);
  const inner = width - 4;
  // Three lines below the list describe the session under the cursor.
  const height = Math.max(1, overlayRows(rows) - 5);
  const top = windowTop(overlay.rows.length, overlay.cursor, height);
  const lines = overlay.rows.slice(top, top + height).map((row, index): Line => {
    const here = top + index === overlay.cursor;
    const what = `  ${row.status} ${row.progress}${row.shown ? ' · shown now' : ''}`;
    const room = inner - 1 - row.session.length - widthOf(what) - 2 - row.ago.length - 1;
    const line = spread(
      [
        cursorMark(here, theme),
        { text: row.session, bold: here },
        span(what),
        ...about(row, room, theme.glyphs.ellipsis),
      ],
      [span(row.ago, 'secondary')],
      inner,
      theme,
    );
    return rowFor({ kind: 'item', item: top + index }, line);
  });
  const chosen = overlay.rows[overlay.cursor];
  const told: readonly Line[] =
    chosen === undefined
      ? []
      : [
          [span(truncate(` ${chosen.goal}`, inner, theme.glyphs.ellipsis))],
          [span(` ${whereabouts(chosen, inner - 1, theme.glyphs.ellipsis)}`, 'secondary')],
        ];
  const title = `Sessions: ${overlay.rows.length}`;
  return (
    <Modal
      title={title}
      lines={[blank, ...lines, blank, ...told, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

/** What the session is about, then where it is, as far as there is room. The lines of the chosen session show both in full. */
const about = ({ goal, workspace }: SessionChoice, room: number, ellipsis: string): Line => {
  const known = goal === '' || room < shortest ? '' : `  ${truncate(safe(goal), room, ellipsis)}`;
  const left = room - widthOf(known);
  return [
    span(known),
    span(left < shortest ? '' : `  ${truncateMiddle(safe(workspace), left, ellipsis)}`, 'secondary'),
  ];
};

/** A shorter text says nothing. */
const shortest = 8;

/** Its workspace and the pid of its program. */
const whereabouts = ({ workspace, pid }: SessionChoice, width: number, ellipsis: string): string => {
  const runs = pid === null ? '' : ` · running, pid ${pid}`;
  return truncateMiddle(safe(workspace), width - runs.length, ellipsis) + runs;
};
