import type { Lane } from '../../src/store/timeline/select-timeline.ts';
import { type Bar, letterOf, type Wait } from '../../src/store/timeline/timeline.ts';
import { formatElapsed } from '../../src/words/local-time.ts';
import { truncate, widthOf } from '../../src/words/width.ts';
import type { Tone } from '../palettes.ts';
import type { Theme } from '../theme.ts';
import { type Line, span, widthOfLine } from './span.ts';
import { type Axis, type Cell, cellAt, put, rowOf } from './time-axis.ts';

const isNow = ({ timeline: { to }, now }: Axis): boolean => to >= now.ms;

/** An empty row with a line where now is. */
const emptyRow = (axis: Axis): (Cell | undefined)[] => {
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  if (isNow(axis)) cells[axis.cells - 1] = { text: axis.theme.glyphs.bar, tone: 'accent' };
  return cells;
};

/** Holds and gates as spans that say how long they took, signals by their first letter. */
export const markLine = (axis: Axis): Line => {
  const cells = emptyRow(axis);
  for (const { kind, from, to } of axis.timeline.spans)
    drawWait(cells, { why: kind === 'hold' ? 'pause' : 'you', from, to }, axis, undefined);
  for (const mark of axis.timeline.marks)
    cells[cellAt(axis, mark.at)] = {
      text: letterOf(mark),
      tone: mark.kind === 'signal' ? 'held' : 'secondary',
      bold: true,
    };
  return rowOf('signals', cells, axis);
};

const waits: { readonly [why in Wait['why']]: { readonly tone: Tone; readonly words: readonly string[] } } = {
  you: { tone: 'needs-you', words: ['waits for you ', 'you ', ''] },
  pause: { tone: 'held', words: ['paused ', ''] },
};

/** "waits for you 1:08" where it fits, else the time alone. */
const drawWait = (
  cells: (Cell | undefined)[],
  { why, from, to }: Wait,
  axis: Axis,
  id: string | undefined,
): void => {
  const { tone, words } = waits[why];
  const look = { tone, ...(id === undefined ? {} : { id }) };
  const [start, end] = [cellAt(axis, from), cellAt(axis, to ?? axis.now.ms)];
  for (let cell = start; cell < end; cell += 1) cells[cell] = { ...look, text: waitSign(axis.theme) };
  const took = formatElapsed((to ?? axis.now.ms) - from);
  const text = words.map((each) => `${each}${took}`).find((each) => widthOf(each) + 2 <= end - start);
  if (text !== undefined) put(cells, start + 1, ` ${text} `.slice(0, end - start - 1), look);
};

const waitSign = ({ options }: Theme): string => (options.ascii ? '.' : '┄');

const tones: { readonly [end in Bar['end']]: Tone } = {
  running: 'now',
  good: 'done',
  bad: 'failed',
  stopped: 'held',
};

/** The bars of one executor or worker. */
export const laneLine = ({ title, bars }: Lane, axis: Axis): Line => {
  const cells = emptyRow(axis);
  for (const bar of bars) drawBar(cells, bar, axis);
  return rowOf(title, cells, axis);
};

/** Start, name, a heavy line while it works and a dotted one while it waits, and the sign of its end. */
const drawBar = (cells: (Cell | undefined)[], bar: Bar, axis: Axis): void => {
  const { glyphs, looks, options } = axis.theme;
  const { at, from } = axis.timeline;
  const here = at?.id === bar.id;
  const tone = here && axis.focused ? 'needs-you' : tones[bar.end];
  const look = { tone, bold: here, id: bar.id };
  const [start, end] = [cellAt(axis, bar.from), cellAt(axis, bar.to ?? axis.now.ms)];
  for (let cell = start; cell < end; cell += 1) cells[cell] = { ...look, text: glyphs.focusRule };
  const name = nameOf(bar);
  // The name gives way to a wait that says how long it takes, where both do not fit.
  const firstWait = bar.waits[0];
  const room =
    Math.min(end, firstWait === undefined ? end : Math.max(cellAt(axis, firstWait.from), start + 5)) -
    start -
    3;
  for (const wait of bar.waits) drawWait(cells, wait, axis, bar.id);
  if (bar.from >= from && end > start)
    cells[start] = { ...look, text: here ? glyphs.cursor : options.ascii ? '|' : '┣' };
  if (room >= Math.min(4, widthOf(name)))
    put(cells, start + 1, ` ${truncate(name, room, glyphs.ellipsis)} `, {
      tone: here ? tone : 'text',
      bold: here,
      id: bar.id,
    });
  const sign = { running: looks.running, good: looks.done, bad: looks.failed, stopped: looks.cancelled }[
    bar.end
  ];
  cells[end] = { ...look, text: sign.glyph };
};

/** `english #2`, or the role of work without a task. */
export const nameOf = ({ task, attempt, role }: Bar): string =>
  task === null
    ? role
    : `${task}${role === 'Executor' && attempt !== null && attempt > 1 ? ` #${attempt}` : ''}`;

/** What the lines and signs mean, in one line of at most `width` cells. The last meanings give way. */
export const legendLine = ({ glyphs, looks, ...theme }: Theme, width: number): Line => {
  const rule = glyphs.focusRule.repeat(2);
  const wait = waitSign({ glyphs, looks, ...theme }).repeat(2);
  const entries: readonly Line[] = [
    [span(` ${rule}`, 'now'), span(' works', 'secondary')],
    [span(`  ${wait}`, 'needs-you'), span(' waits for you', 'secondary')],
    [span(`  ${wait}`, 'held'), span(' paused', 'secondary')],
    [span(`  ${looks.done.glyph}`, 'done'), span(' done', 'secondary')],
    [span(`  ${looks.failed.glyph}`, 'failed'), span(' failed', 'secondary')],
    [span('  S', 'held'), span(' signal', 'secondary')],
  ];
  return entries.filter((_, index) => widthOfLine(entries.slice(0, index + 1).flat()) <= width).flat();
};
