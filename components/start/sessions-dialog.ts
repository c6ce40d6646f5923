import { safe } from '../../src/base/safe.ts';
import { truncate, truncateMiddle, widthOf } from '../../src/words/width.ts';
import { closing } from '../dialog/closing.ts';
import type { DialogLook, MenuDialog } from '../dialog/dialog.ts';
import { blank, type Line, span, spread } from '../draw/span.ts';
import type { SessionChoice, SessionsOverlay } from './start-list.ts';

/** Every session of this workspace, and of others that a screen has shown before. */
export const sessionsDialog: MenuDialog<SessionsOverlay> = {
  moves: 'cursor',
  widest: () => 100,
  title: (_view, { rows }) => `Sessions: ${rows.length}`,
  above: () => [blank],
  items: (_view, { rows }, look) => rows.map((row) => (here) => [rowLine(row, here, look)]),
  // The session under the cursor.
  below: (_view, { rows, cursor }, { width, theme }) => {
    const chosen = rows[cursor];
    const { ellipsis } = theme.glyphs;
    return chosen === undefined
      ? [blank, blank]
      : [
          blank,
          [span(truncate(` ${chosen.goal}`, width, ellipsis))],
          [span(` ${whereabouts(chosen, width - 1, ellipsis)}`, 'secondary')],
          blank,
        ];
  },
  commands: [closing('sessions', ['escape', 'q', 'ctrl-c'])],
};

const rowLine = (row: SessionChoice, here: boolean, { width, theme }: DialogLook): Line => {
  const what = `  ${row.status} ${row.progress}${row.shown ? ' · shown now' : ''}`;
  const room = width - 1 - row.session.length - widthOf(what) - 2 - row.ago.length - 1;
  const left = [{ text: row.session, bold: here }, span(what), ...about(row, room, theme.glyphs.ellipsis)];
  return spread(left, [span(row.ago, 'secondary')], width - 1, theme);
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
