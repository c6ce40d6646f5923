import { formatElapsed, formatWait } from '../../src/words/local-time.ts';
import { truncate, widthOf } from '../../src/words/width.ts';
import type { Ground, Tone } from '../draw/palettes.ts';
import type { Line } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { Lane } from './select-timeline.ts';
import { type Axis, type Cell, cellAt, put, rowOf } from './time-axis.ts';
import { type Bar, letterOf, type Mark } from './timeline.ts';
import type { Wait } from './waits.ts';

/** An empty row, with a line where now is. */
const emptyRow = ({ cells: width, theme, timeline: { to, present, ended } }: Axis): (Cell | undefined)[] => {
  const cells = new Array<Cell | undefined>(width).fill(undefined);
  if (to >= present && ended === null) cells[width - 1] = { text: theme.glyphs.bar, tone: 'accent' };
  return cells;
};

/** Waits of the whole session as spans that say how long they took, and signals by their first letter. Without any no row. */
export const sessionLines = (axis: Axis): readonly Line[] => {
  const { spans, marks } = axis.timeline;
  const waiting = emptyRow(axis);
  spans.forEach((wait, index) => {
    const next = spans[index + 1];
    drawWait(waiting, wait, axis, { free: next === undefined ? axis.cells - 1 : cellAt(axis, next.from) });
  });
  const signs = emptyRow(axis);
  for (const [cell, mark] of drawnMarks(axis))
    signs[cell] = { text: letterOf(mark), tone: markTone(mark), bold: true };
  return [
    ...(spans.length === 0 ? [] : [rowOf('session', waiting, axis)]),
    ...idleLines(axis),
    ...(marks.length === 0 ? [] : [rowOf('signals', signs, axis)]),
  ];
};

/** Slots without work, and what they wait for where the words fit. A span without a cell of its own is not drawn. */
const idleLines = (axis: Axis): readonly Line[] => {
  const cells = emptyRow(axis);
  const drawn = axis.timeline.idle.filter(({ from, to }) => cellAt(axis, to) > cellAt(axis, from));
  for (const { words, from, to } of drawn) {
    const [start, end] = [cellAt(axis, from), cellAt(axis, to)];
    for (let cell = start; cell < end; cell += 1)
      cells[cell] = { text: axis.theme.options.ascii ? '.' : '░', tone: 'furniture' };
    const text = words.find((each) => widthOf(each) + 2 <= end - start);
    if (text !== undefined)
      put(cells, start + 1, ` ${text} `.slice(0, end - start - 1), { tone: 'secondary' });
  }
  return drawn.length === 0 ? [] : [rowOf('idle', cells, axis)];
};

/** The marks by their cells. One whose cell is taken goes to a free one beside it; signals are what a person did, and come first. */
export const drawnMarks = (axis: Axis): ReadonlyMap<number, Mark> => {
  const drawn = new Map<number, Mark>();
  const { marks } = axis.timeline;
  for (const mark of [
    ...marks.filter(({ kind }) => kind === 'signal'),
    ...marks.filter(({ kind }) => kind !== 'signal'),
  ]) {
    const cell = cellAt(axis, mark.at);
    const free = [cell, cell - 1, cell + 1].find(
      (each) => each >= 0 && each < axis.cells && !drawn.has(each),
    );
    if (free !== undefined) drawn.set(free, mark);
  }
  return drawn;
};

export const markTone = ({ kind }: Mark): Tone => (kind === 'signal' ? 'held' : 'secondary');

/** How a wait looks: two signs of different shapes, so that no colour is needed to tell them apart. */
export const waits: {
  readonly [why in Wait['why']]: {
    readonly tone: Tone;
    readonly sign: string;
    readonly ascii: string;
    readonly words: readonly string[];
  };
} = {
  you: { tone: 'needs-you', sign: '┄', ascii: '.', words: ['asks you ', ''] },
  pause: { tone: 'held', sign: '‖', ascii: ':', words: ['paused ', ''] },
  stop: { tone: 'secondary', sign: '·', ascii: '-', words: ['stopped ', ''] },
};

export const waitSign = (why: Wait['why'], { options }: Theme): string =>
  waits[why][options.ascii ? 'ascii' : 'sign'];

/** "asks you 1:08" where it fits, else the time alone. `free`: where the blank cells behind it end, over which its words may run. */
const drawWait = (
  cells: (Cell | undefined)[],
  { why, from, to }: Wait,
  axis: Axis,
  { id, free = 0 }: { readonly id?: string; readonly free?: number },
): void => {
  const { tone, words } = waits[why];
  const look = { tone, ...(id === undefined ? {} : { id }) };
  const [start, end] = [cellAt(axis, from), cellAt(axis, to)];
  const sign = waitSign(why, axis.theme);
  for (let cell = start; cell < end; cell += 1) cells[cell] = { ...look, text: sign };
  const isOpen = to === null && axis.timeline.ended === null;
  const took = isOpen
    ? formatWait(new Date(from).toISOString(), axis.now)
    : formatElapsed((to ?? axis.timeline.present) - from);
  const room = Math.max(end, free) - start;
  const text = words.map((each) => `${each}${took}`).find((each) => widthOf(each) + 2 <= room);
  if (text === undefined) return;
  // Behind words that run over its end nothing of it follows.
  const shown = start + widthOf(text) + 2 < end ? ` ${text} ` : ` ${text}`;
  put(cells, start + 1, shown, look);
};

export const tones: { readonly [end in Bar['end']]: Tone } = {
  running: 'now',
  good: 'done',
  bad: 'failed',
  stopped: 'held',
};

export const signOf = ({ end }: Bar, { looks }: Theme): string =>
  ({ running: looks.running, good: looks.done, bad: looks.failed, stopped: looks.cancelled })[end].glyph;

/** The bars of one executor or worker. */
export const laneLine = ({ title, bars }: Lane, axis: Axis): Line => {
  const cells = emptyRow(axis);
  bars.forEach((bar, index) => {
    const next = bars[index + 1];
    drawBar(cells, bar, next === undefined ? axis.cells - 1 : cellAt(axis, next.from), axis);
  });
  return rowOf(title, cells, axis);
};

/** Start, name, a heavy line while it works and a dotted one while it waits, and the sign of its end. `next`: where the next bar begins. */
const drawBar = (cells: (Cell | undefined)[], bar: Bar, next: number, axis: Axis): void => {
  const { glyphs, options } = axis.theme;
  const { at, from } = axis.timeline;
  const here = at?.id === bar.id;
  const look = { tone: tones[bar.end], bold: here, id: bar.id };
  const [first, end] = [cellAt(axis, bar.from), cellAt(axis, bar.to)];
  // How the bar before it ended says more than where this one begins.
  const start = cells[first]?.id === undefined || end <= first + 1 ? first : first + 1;
  for (let cell = start; cell < end; cell += 1) cells[cell] = { ...look, text: glyphs.focusRule };
  for (const wait of bar.waits) drawWait(cells, wait, axis, { id: bar.id });
  if (bar.from >= from && end > start)
    cells[start] = { ...look, text: here ? glyphs.cursor : options.ascii ? '|' : '┣' };
  cells[end] = { ...look, text: signOf(bar, axis.theme) };
  const name = nameOf(bar);
  // The name gives way to a wait that says how long it takes, where both do not fit.
  const firstWait = bar.waits[0];
  const until = firstWait === undefined ? end : Math.max(cellAt(axis, firstWait.from), start + 5);
  const inside = Math.min(end, until) - start - 3;
  const words = { tone: 'text', bold: here, id: bar.id } as const;
  // Behind a short bar is often more room than in it.
  if (inside < widthOf(name) && bar.role === 'Executor' && end + widthOf(name) + 2 < next)
    put(cells, end + 1, ` ${name}`, words);
  else if (inside >= Math.min(4, widthOf(name)))
    put(cells, start + 1, ` ${truncate(name, inside, glyphs.ellipsis)} `, words);
  if (here) select(cells, bar.id, axis.focused ? 'selection' : 'selection-weak');
};

/** The bar under the cursor has the background of a chosen row. */
const select = (cells: (Cell | undefined)[], id: string, ground: Ground): void =>
  cells.forEach((cell, at) => {
    if (cell?.id === id) cells[at] = { ...cell, ground };
  });

/** `english #2`, or the role of work without a task. */
export const nameOf = ({ task, attempt, role }: Bar): string =>
  task === null
    ? role
    : `${task}${role === 'Executor' && attempt !== null && attempt > 1 ? ` #${attempt}` : ''}`;
