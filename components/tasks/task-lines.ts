import { memoise } from '../../src/base/memoise.ts';
import { formatElapsed, formatSince, formatWait, type LocalTime } from '../../src/words/local-time.ts';
import { attemptMark, type TaskLook, waitWord } from '../../src/words/task-status.ts';
import { usualWidth } from '../../src/words/usual-width.ts';
import { truncate, widthOf } from '../../src/words/width.ts';
import { bold, cursorMark, type Line, reason, rowFor, span, spread, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { TaskLine, TaskRow } from './select-tasks.ts';
import { type Spinner, spun } from './spinner.ts';

/** How the rows of tasks are drawn. `marked`: the task under the cursor; `null` marks none. */
interface TaskLinesLook {
  readonly now: LocalTime;
  readonly width: number;
  readonly theme: Theme;
  readonly marked: string | null;
  readonly focused: boolean;
  readonly spinner: Spinner | null;
}

/** `rows` of `all` as lines: a level of the graph with its progress, a task with glyph, id, title, and its status at the right end. */
export const taskLines = (
  rows: readonly TaskRow[],
  all: readonly TaskRow[],
  look: TaskLinesLook,
): readonly Line[] => {
  const idWidth = Math.min(Math.floor(look.width * 0.4), idColumn(all));
  return rows.map((row) =>
    row.kind !== 'task'
      ? headLine(row, look.width, look.theme)
      : rowFor({ kind: 'task', id: row.id }, taskLine(row, { ...look, idWidth, at: row.id === look.marked })),
  );
};

/** Wide enough for the ids, so that titles align. */
const idColumn = memoise((rows: readonly TaskRow[]): number =>
  Math.max(4, usualWidth(rows.flatMap((row) => (row.kind === 'task' ? [widthOf(row.id)] : [])))),
);

const headLine = (row: Exclude<TaskRow, { kind: 'task' }>, width: number, theme: Theme): Line =>
  row.kind === 'level' ? levelLine(row, width, theme) : issueLine(row, width, theme);

const issueLine = (row: Extract<TaskRow, { kind: 'issue' }>, width: number, theme: Theme): Line => {
  const tone = row.needsPerson ? 'needs-you' : 'secondary';
  const state = row.needsPerson ? 'needs you' : row.state;
  const right = [span(`${state}  `, tone), span(`${row.done}/${row.total} `, tone)];
  const title = truncate(` ${row.title}`, Math.max(8, width - widthOfLine(right) - 1), theme.glyphs.ellipsis);
  return spread([bold(title, row.needsPerson ? tone : 'text')], right, width, theme);
};

const levelLine = (row: Extract<TaskRow, { kind: 'level' }>, width: number, theme: Theme): Line => {
  const progress = row.total === 0 ? [] : [span(`${row.done}/${row.total} `, 'secondary')];
  return spread([span(` Level ${row.level}`, 'secondary')], progress, width, theme);
};

interface Look extends TaskLinesLook {
  readonly idWidth: number;
  readonly at: boolean;
}

const taskLine = (row: TaskLine, look: Look): Line => {
  const { theme, idWidth, at, focused, spinner } = look;
  const { glyph, tone } = theme.looks[row.look];
  const calm =
    row.look === 'done' || row.look === 'cancelled' || row.look === 'waiting' || row.look === 'replaced';
  const id = row.id + ' '.repeat(Math.max(0, idWidth - widthOf(row.id)));
  const words = row.partOf === null ? row.title : `part of ${row.partOf}`;
  const left: Line = [
    cursorMark(at, theme, focused),
    span(`${branchOf(row, theme)} `, row.chain ? 'chain' : 'furniture'),
    { text: `${spun(spinner, row.id, row.look) ?? glyph} `, tone, bold: !calm },
    { text: id, tone: row.look === 'cancelled' || row.look === 'replaced' ? 'secondary' : 'text', bold: at },
  ];
  // A title cut down to a few letters says nothing, so it is left out.
  const least = words === row.id ? 0 : Math.min(12, widthOf(words));
  const roomBeside = (end: Line): number => look.width - widthOfLine(left) - widthOfLine(end) - 3;
  // What failed keeps its title: the panes beside it show the command and what it printed.
  const [whole, short] = [statusOf(row, row.brief, look), statusOf(row, row.short, look)];
  const right = roomBeside(whole) < least && roomBeside(short) >= least ? short : whole;
  const title = least > 0 && roomBeside(right) >= least ? `  ${words}` : '';
  const isSecondary = (calm && row.look !== 'waiting') || row.partOf !== null;
  return spread([...left, span(title, isSecondary ? 'secondary' : 'text')], right, look.width, theme);
};

/** The longest chain is drawn heavier. A part of a split task is dotted: it belongs to another task and does not wait for it. */
const branchOf = ({ chain, last, partOf }: TaskLine, { glyphs }: Theme): string => {
  if (chain) return last ? glyphs.lastChainBranch : glyphs.chainBranch;
  if (partOf !== null) return glyphs.partBranch;
  return last ? glyphs.lastBranch : glyphs.branch;
};

/** Statuses whose row shows the time of the last attempt. */
const timed: readonly TaskLook[] = ['running', 'asks', 'paused', 'to-review', 'reviewing', 'done'];

/** Cells of "waits for 2". */
const leastStatus = 11;

/** The right end of a row: the status in words, the attempt when it is not the first, and the time. */
const statusOf = (row: TaskLine, word: string, { now, theme, width, idWidth }: Look): Line => {
  const { tone } = theme.looks[row.look];
  const attempt = attemptMark(row);
  const time =
    row.since !== null
      ? (row.look === 'asks' ? formatWait : formatSince)(row.since, now)
      : row.tookMs === null
        ? ''
        : formatElapsed(row.tookMs);
  const took = timed.includes(row.look) ? time : '';
  // Mark, branch, glyph and id on the left come first, however long the status is: the id whole where a short status fits beside it.
  const own = widthOf(row.id);
  const least = Math.min(leastStatus, widthOf(word)) + (took === '' ? 0 : 6);
  const isWhole = width - own - 7 - attempt.length >= least;
  const taken = Math.max(idWidth, isWhole ? own : Math.min(own, Math.floor(width * 0.4)));
  const free = width - taken - 7 - attempt.length;
  // The word says more than since when.
  const isShown = took !== '' && (widthOf(took) <= 5 || free - widthOf(took) - 1 >= widthOf(word));
  const { ellipsis } = theme.glyphs;
  const room = Math.max(4, free - (isShown ? Math.max(5, widthOf(took)) + 1 : 0));
  return [
    ...reason(truncate(waitWord({ ...row, word }, room, ellipsis), room, ellipsis), row.lead, tone),
    span(attempt, 'held'),
    span(!isShown ? ' ' : ` ${took.padStart(5)} `, row.since === null ? 'secondary' : 'text'),
  ];
};
