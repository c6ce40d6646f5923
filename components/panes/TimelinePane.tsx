import {
  formatClock,
  formatElapsed,
  formatTimeOfDay,
  type LocalTime,
} from '../../src/store/text/local-time.ts';
import { graphemesOf, truncate, widthOf } from '../../src/store/text/width.ts';
import { type RosterLine, selectRoster } from '../../src/store/timeline/select-roster.ts';
import { type Lane, selectTimeline, type TimelineView } from '../../src/store/timeline/select-timeline.ts';
import { type Bar, letterOf } from '../../src/store/timeline/timeline.ts';
import type { Tone } from '../palettes.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, bold, type Line, rowFor, type Span, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** Attempts as bars on a time axis, one lane an executor or worker, with now at the right edge, and the agents at work below. */
export const TimelinePane = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const timeline = selectTimeline(view, now);
  const title = Math.min(12, Math.max(10, Math.floor(width * 0.15)));
  const axis: Axis = { timeline, now, theme, focused, title, cells: Math.max(10, width - title - 2) };
  const atWork = selectRoster(view, now);
  const work = atWork.reduce((most, line) => Math.max(most, widthOf(line.work)), 0);
  const roster = atWork.map((line) => rosterLine(line, Math.min(work, Math.floor(width / 3)), width, theme));
  const told = roster.slice(0, Math.max(1, Math.floor(height / 3)));
  const lanes = timeline.lanes.map((lane) => laneLine(lane, axis));
  const head = [ticks(axis), states(axis), marks(axis)];
  const room = Math.max(1, height - head.length - (told.length === 0 ? 0 : told.length + 2));
  const body = [...head, ...lanes.slice(0, room), ...chosen(axis).slice(0, Math.max(0, room - lanes.length))];
  const heading: Line = [span(` At work ${roster.length}`, 'accent')];
  return (
    <Lines
      lines={told.length === 0 ? body : [...body, blank, heading, ...told]}
      width={width}
      height={height}
    />
  );
};

interface Axis {
  readonly timeline: TimelineView;
  readonly now: LocalTime;
  readonly theme: Theme;
  readonly focused: boolean;
  /** Cells of the titles on the left, and of the time beside them. */
  readonly title: number;
  readonly cells: number;
}

interface Cell {
  readonly text: string;
  readonly tone: Tone;
  readonly bold?: boolean;
  readonly id?: string;
}

/** The cell of an instant. Now is the last one. */
const cellAt = ({ timeline: { from, to }, cells }: Axis, at: number): number =>
  Math.max(0, Math.min(cells - 1, Math.round(((at - from) / Math.max(1, to - from)) * (cells - 1))));

/** A row of single cells with its title. Neighbours of one look and one target become one piece. */
const rowOf = (name: string, cells: readonly (Cell | undefined)[], { title, theme }: Axis): Line => {
  const pieces: Span[] = [];
  for (const cell of cells) {
    const { text, tone, bold: strong = false, id } = cell ?? { text: ' ', tone: 'secondary' };
    const last = pieces.at(-1);
    const before = last?.target?.kind === 'row' ? last.target.at : undefined;
    if (last && last.tone === tone && last.bold === strong && before === id)
      pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else
      pieces.push({
        text,
        tone,
        bold: strong,
        target: id === undefined ? null : { kind: 'row', pane: 'timeline', at: id },
      });
  }
  const label = truncate(name, title, theme.glyphs.ellipsis);
  return [span(` ${label}${' '.repeat(Math.max(0, title - widthOf(label)))} `, 'secondary'), ...pieces];
};

const put = (cells: (Cell | undefined)[], at: number, text: string, look: Omit<Cell, 'text'>): void => {
  let cell = at;
  for (const part of graphemesOf(text)) {
    if (cell + widthOf(part) > cells.length) return;
    cells[cell] = { ...look, text: part };
    // A wide character takes the next cell too.
    for (let next = 1; next < widthOf(part); next += 1) cells[cell + next] = { ...look, text: '' };
    cell += widthOf(part);
  }
};

const steps = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400].map(
  (each) => each * 1_000,
);

/** Times of day at round instants, and the span in sight. */
const ticks = (axis: Axis): Line => {
  const { from, to } = axis.timeline;
  const wanted = ((to - from) / axis.cells) * 12;
  const step = steps.find((each) => each >= wanted) ?? 86_400_000;
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  const offset = axis.now.offset * 60_000;
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) {
    const text =
      step < 60_000 ? formatClock(new Date(at).toISOString(), axis.now) : formatTimeOfDay(at, axis.now);
    const cell = cellAt(axis, at);
    if (cell + text.length < axis.cells - 5) put(cells, cell, text, { tone: 'secondary' });
  }
  const end = to >= axis.now.ms ? 'now' : formatTimeOfDay(to, axis.now);
  put(cells, axis.cells - end.length, end, { tone: 'accent' });
  return rowOf(formatElapsed(to - from), cells, axis);
};

const states = (axis: Axis): Line => {
  const { rule } = axis.theme.glyphs;
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  for (const { word, from, to } of axis.timeline.states) {
    const [start, end] = [cellAt(axis, from), cellAt(axis, to)];
    const current = to >= axis.now.ms;
    const room = end - start;
    for (let cell = start; cell < end; cell += 1) cells[cell] = { text: rule, tone: 'secondary' };
    // A state without room for its word shows as a line.
    if (room > widthOf(word)) put(cells, start, ` ${word}`, { tone: current ? 'accent' : 'text' });
  }
  return rowOf('state', cells, axis);
};

/** Holds and gates as spans, signals by their first letter. */
const marks = (axis: Axis): Line => {
  const { looks } = axis.theme;
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  for (const { kind, from, to } of axis.timeline.spans)
    for (let cell = cellAt(axis, from); cell <= cellAt(axis, to ?? axis.now.ms); cell += 1)
      cells[cell] =
        kind === 'hold' ? { text: looks.paused.glyph, tone: 'held' } : { text: '?', tone: 'needs-you' };
  for (const mark of axis.timeline.marks)
    cells[cellAt(axis, mark.at)] = {
      text: letterOf(mark),
      tone: mark.kind === 'signal' ? 'held' : 'secondary',
    };
  return rowOf('signals', cells, axis);
};

const tones: { readonly [end in Bar['end']]: Tone } = {
  running: 'accent',
  good: 'done',
  bad: 'failed',
  stopped: 'held',
};

const laneLine = ({ title, bars }: Lane, axis: Axis): Line => {
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
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
  for (const wait of bar.waits)
    for (let cell = cellAt(axis, wait.from); cell < cellAt(axis, wait.to ?? axis.now.ms); cell += 1)
      cells[cell] = { ...look, text: options.ascii ? '.' : '┄' };
  const name = nameOf(bar);
  const room = end - start - 3;
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

const nameOf = ({ task, attempt, role }: Bar): string =>
  task === null
    ? role
    : `${task}${role === 'Executor' && attempt !== null && attempt > 1 ? ` #${attempt}` : ''}`;

/** The bar under the cursor in words. */
const chosen = ({ timeline: { at }, now }: Axis): readonly Line[] => {
  if (at === null) return [];
  const waited = at.waits.reduce((sum, { from, to }) => sum + (to ?? now.ms) - from, 0);
  const words = [
    `${at.role}${at.task === null ? '' : ` on ${nameOf(at)}`}`,
    `${formatClock(new Date(at.from).toISOString(), now)} to ${at.to === null ? 'now' : formatClock(new Date(at.to).toISOString(), now)}`,
    `worked ${formatElapsed((at.to ?? now.ms) - at.from - waited)}`,
    waited > 0 ? `waited ${formatElapsed(waited)}` : '',
  ];
  return [blank, [span(` ${words.filter((word) => word !== '').join(' · ')}`)]];
};

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const sparks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const asciiSparks = [' ', '.', '.', ':', ':', '|', '|', '#', '#'];

/** What an agent does, for how long, its output in the last minute, and what it cost. */
const rosterLine = (line: RosterLine, work: number, width: number, theme: Theme): Line => {
  const { glyph, tone } = theme.looks[line.stage];
  const pulse = line.pulse
    .map((level) => (theme.options.ascii ? asciiSparks : sparks)[level] ?? ' ')
    .join('');
  const known = [line.tokens, line.cost].filter((word) => word !== '').join(' · ');
  const cells: Line = [
    span(` ${glyph} `, tone),
    bold(padded(truncate(line.work, work, theme.glyphs.ellipsis), work)),
    span(width >= 50 ? ` ${line.role} ${line.agent}` : '', 'secondary'),
    span(` ${line.elapsed.padStart(5)} `),
    span(`${pulse} `, 'accent'),
    span(line.silent, 'held'),
    span(line.silent !== '' && known !== '' ? ` · ${known}` : known, 'secondary'),
  ];
  return rowFor({ kind: 'row', pane: 'timeline', at: line.id }, cells);
};
