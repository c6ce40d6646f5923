import { memoise } from '../../src/base/memoise.ts';
import { selectShownTasks } from '../../src/store/tasks/select-shown-tasks.ts';
import { selectTask, type TaskLine, type TaskRow } from '../../src/store/tasks/select-tasks.ts';
import { briefWord, type TaskLook } from '../../src/store/tasks/task-status.ts';
import { formatElapsed, formatSince, type LocalTime } from '../../src/store/text/local-time.ts';
import { truncate, widthOf } from '../../src/store/text/width.ts';
import { listTop } from '../../src/store/text/window-top.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { bold, cursorMark, type Line, rowFor, span, spread, widthOfLine } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';
import { TaskGraph } from './TaskGraph.tsx';

/** The tasks in the form that a person chose. */
export const TasksPane = (props: PaneProps) =>
  props.view.ui.tasks.as === 'graph' ? <TaskGraph {...props} /> : <TaskRows {...props} />;

/** The graph as waves or as a list: glyph, word and colour of each task's status, its worker, and what it waits for. */
const TaskRows = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const task = selectTask(view);
  const shown = selectShownTasks(view);
  const at = shown.rows.findIndex((row) => row.kind === 'task' && row.id === task);
  const top = listTop(view.ui.tops.tasks, shown.rows.length, at, height);
  const rows = shown.rows.slice(top, top + height);
  const idWidth = Math.min(Math.floor(width * 0.4), idColumn(shown.rows));
  // No task is marked while none is at work and none is selected.
  const marked = task === view.ui.selected.tasks || task === view.ui.followed ? task : null;
  const lines = rows.map((row) =>
    row.kind === 'wave'
      ? waveLine(row, width, theme)
      : rowFor(
          { kind: 'task', id: row.id },
          taskLine(row, { now, width, idWidth, theme, at: row.id === marked, focused }),
        ),
  );
  return <Lines lines={lines} width={width} height={height} />;
};

/**
 * Wide enough for the ids, so that titles align. A few ids much longer than the others stick
 * out of the column instead of taking room from every row.
 */
const idColumn = memoise((rows: readonly TaskRow[]): number => {
  const widths = rows.flatMap((row) => (row.kind === 'task' ? [widthOf(row.id)] : [])).sort((a, b) => a - b);
  const usual = widths[Math.floor((widths.length - 1) * 0.8)] ?? 0;
  return Math.max(4, widths.findLast((each) => each <= usual + 6) ?? 0);
});

const waveLine = (row: Extract<TaskRow, { kind: 'wave' }>, width: number, theme: Theme): Line => {
  const title = ` Wave ${row.wave}`;
  const tone = row.current ? 'now' : 'secondary';
  const left: Line = row.current ? [bold(title, tone), span(' now', tone)] : [span(title, tone)];
  return spread(left, [span(`${row.done}/${row.total} `, tone)], width, theme);
};

interface Look {
  readonly now: LocalTime;
  readonly width: number;
  readonly idWidth: number;
  readonly theme: Theme;
  readonly at: boolean;
  readonly focused: boolean;
}

const taskLine = (row: TaskLine, look: Look): Line => {
  const { theme, idWidth, at, focused } = look;
  const { glyph, tone } = theme.looks[row.look];
  const calm =
    row.look === 'done' || row.look === 'cancelled' || row.look === 'waiting' || row.look === 'replaced';
  const id = row.id + ' '.repeat(Math.max(0, idWidth - widthOf(row.id)));
  const right = statusOf(row, look);
  const left: Line = [
    cursorMark(at, theme, focused),
    span(`${branchOf(row, theme)} `, row.chain ? 'chain' : 'furniture'),
    { text: `${glyph} `, tone, bold: !calm },
    { text: id, tone: calm && row.look !== 'waiting' ? 'secondary' : 'text', bold: at },
  ];
  // A title cut down to a few letters says nothing, so it is left out.
  const room = look.width - widthOfLine(left) - widthOfLine(right) - 3;
  const part = row.partOf === null ? '' : `  part of ${row.partOf}`;
  const title =
    part === '' && row.title !== row.id && room >= Math.min(12, widthOf(row.title)) ? `  ${row.title}` : '';
  return spread(
    [...left, span(part, 'secondary'), span(title, calm ? 'secondary' : 'text')],
    right,
    look.width,
    theme,
  );
};

/** The longest chain is drawn heavier. A part of a split task is dotted: it belongs to another task and does not wait for it. */
const branchOf = ({ chain, last, partOf }: TaskLine, { glyphs }: Theme): string => {
  if (chain) return last ? glyphs.lastChainBranch : glyphs.chainBranch;
  if (partOf !== null) return glyphs.partBranch;
  return last ? glyphs.lastBranch : glyphs.branch;
};

/** Statuses whose row shows the time of the last attempt. */
const timed: readonly TaskLook[] = ['running', 'asks', 'paused', 'to-review', 'reviewing', 'done'];

/** The right end of a row: the status in words, the attempt when it is not the first, and the time. */
const statusOf = (row: TaskLine, { now, theme, width, idWidth }: Look): Line => {
  const { tone } = theme.looks[row.look];
  const attempt = row.attempt > 1 && (row.since !== null || row.look === 'done') ? ` #${row.attempt}` : '';
  const time =
    row.since !== null ? formatSince(row.since, now) : row.tookMs === null ? '' : formatElapsed(row.tookMs);
  const took = timed.includes(row.look) ? time : '';
  // Mark, branch, glyph and id on the left come first, however long the status is.
  const taken = Math.max(idWidth, Math.min(widthOf(row.id), Math.floor(width * 0.4)));
  const room = Math.max(4, width - taken - 8 - attempt.length - (took === '' ? 0 : 6));
  const word = widthOf(row.word) <= room ? row.word : briefWord(row.word);
  return [
    span(truncate(word, room, theme.glyphs.ellipsis), tone),
    span(attempt, 'held'),
    span(took === '' ? ' ' : ` ${took.padStart(5)} `, row.since === null ? 'secondary' : 'text'),
  ];
};
