import {
  count,
  formatClock,
  formatElapsed,
  formatRunning,
  formatTimeOfDay,
} from '../../src/words/local-time.ts';
import { truncate, widthOf } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import { blank, bold, type Line, rowFor, span, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { type RosterLine, selectRoster, selectTeamMessages } from './select-roster.ts';
import { selectTimeline } from './select-timeline.ts';
import { type Axis, type Cell, cellAt, lengthSince, put, rowOf } from './time-axis.ts';
import { laneLine, nameOf, sessionLines } from './time-bars.ts';
import { legendLine } from './time-legend.ts';
import type { Wait } from './waits.ts';

/** Attempts as bars on a time axis, one lane an executor or worker, with the present at the right edge, and the agents at work below. */
export const TimelinePane = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const timeline = selectTimeline(view, now);
  // A lane of a runner names it: "Executor 2 @gpu".
  const longest = Math.max(...timeline.lanes.map((lane) => widthOf(lane.title)), 0);
  const title = Math.max(10, Math.min(longest, 20, Math.floor(width * 0.4)));
  const axis: Axis = { timeline, now, theme, focused, title, cells: Math.max(10, width - title - 2) };
  const atWork = selectRoster(view, now);
  const longestOf = (cell: (line: RosterLine) => string): number =>
    atWork.reduce((most, line) => Math.max(most, widthOf(cell(line))), 0);
  const widths = {
    work: Math.min(
      longestOf(({ work }) => work),
      Math.floor(width / 3),
    ),
    worker: longestOf(({ worker }) => worker),
  };
  const messages = selectTeamMessages(view);
  const [heading, told] = [` ${headingOf(atWork)}`, messages === '' ? '' : ` · ${messages}`];
  const roster =
    atWork.length === 0
      ? []
      : [
          [span(heading, 'accent'), span(widthOf(heading + told) <= width ? told : '', 'secondary')],
          ...few(
            atWork.map((line) => rosterLine(line, widths, width, theme)),
            Math.floor(height / 3),
            'agent',
          ),
        ];
  const head = [ticks(axis), states(axis), ...sessionLines(axis)];
  const [bar, legend] = [chosen(axis), [legendLine(axis, width)]];
  const rest = height - head.length - bar.length - legend.length - roster.length;
  const lanes = few(
    timeline.lanes.map((lane) => laneLine(lane, axis)),
    rest,
    'lane',
  );
  const below = spaced([roster, legend, bar], rest - lanes.length);
  return <Lines lines={[...head, ...lanes, ...below]} width={width} height={height} />;
};

/** At most `room` of the lines, the last one with the number of those that are left out. */
const few = (lines: readonly Line[], room: number, noun: string): readonly Line[] => {
  const most = Math.max(1, room);
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, most - 1);
  return [...shown, [span(` ${count(lines.length - shown.length, `more ${noun}`)}`, 'secondary')]];
};

/** The parts from the last one up, each below a blank line as long as there are `blanks`. */
const spaced = (parts: readonly (readonly Line[])[], blanks: number): readonly Line[] => {
  const lines: Line[] = [];
  let left = blanks;
  for (const part of parts) {
    if (part.length === 0) continue;
    lines.unshift(...(left > 0 ? [blank] : []), ...part);
    left -= 1;
  }
  return lines;
};

/** "Team: 2 of 5 at work", and "1 other agent" that is listed with it; without a team "At work 3". */
const headingOf = (roster: readonly RosterLine[]): string => {
  const workers = roster.filter(({ worker }) => worker !== '');
  if (workers.length === 0) return `At work ${roster.length}`;
  const others = roster.length - workers.length;
  const busy = workers.filter(({ stage }) => stage !== 'waiting').length;
  return `Team: ${busy} of ${workers.length} at work${others === 0 ? '' : ` · ${count(others, 'other agent')}`}`;
};

const steps = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400].map(
  (each) => each * 1_000,
);

/** Times of day at round instants, and the span in sight. */
const ticks = (axis: Axis): Line => {
  const { from, to, present, ended } = axis.timeline;
  const end = to < present ? formatTimeOfDay(to, axis.now) : endWord(axis);
  const wanted = ((to - from) / axis.cells) * 8;
  const step = steps.find((each) => each >= wanted) ?? 86_400_000;
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  const offset = axis.now.offset * 60_000;
  let free = 0;
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) {
    const text =
      step < 60_000 ? formatClock(new Date(at).toISOString(), axis.now) : formatTimeOfDay(at, axis.now);
    const cell = cellAt(axis, at);
    if (cell < free || cell + text.length >= axis.cells - end.length - 1) continue;
    put(cells, cell, text, { tone: 'secondary' });
    free = cell + text.length + 2;
  }
  put(cells, axis.cells - end.length, end, { tone: ended === null ? 'accent' : 'secondary', bold: true });
  return rowOf(to === present ? lengthSince(axis, from) : formatElapsed(to - from), cells, axis);
};

/** "now", or when a session that no program runs came to its end. */
const endWord = ({ timeline: { ended, present }, now }: Axis): string =>
  ended === null ? 'now' : `${ended} ${formatClock(new Date(present).toISOString(), now)}`;

const states = (axis: Axis): Line => {
  const { rule } = axis.theme.glyphs;
  const cells = new Array<Cell | undefined>(axis.cells).fill(undefined);
  for (const { word, from, to } of axis.timeline.states) {
    const [start, end] = [cellAt(axis, from), cellAt(axis, to)];
    const current = axis.timeline.ended === null && to >= axis.timeline.present;
    const room = end - start;
    const tone = current ? 'accent' : 'secondary';
    for (let cell = start; cell < end; cell += 1) cells[cell] = { text: rule, tone };
    // A state without room for its word shows as a line.
    if (room > widthOf(word)) put(cells, start, ` ${word}`, { tone: current ? 'accent' : 'text' });
  }
  return rowOf('state', cells, axis);
};

/** The bar under the cursor in words. */
const chosen = ({ timeline: { at, present, ended }, now }: Axis): readonly Line[] => {
  if (at === null) return [];
  const clock = (ms: number): string => formatClock(new Date(ms).toISOString(), now);
  const sum = (why: Wait['why']): number =>
    at.waits.reduce((ms, wait) => (wait.why === why ? ms + (wait.to ?? present) - wait.from : ms), 0);
  const [you, pause, stop] = [sum('you'), sum('pause'), sum('stop')];
  const isOpen = at.to === null && ended === null;
  const length = (ms: number): string => (isOpen ? formatRunning(ms, now) : formatElapsed(ms));
  const words = [
    `${at.role}${at.task === null ? '' : ` on ${nameOf(at)}`}`,
    `worked ${length((at.to ?? present) - at.from - you - pause - stop)}`,
    you > 0 ? `waited for you ${length(you)}` : '',
    pause > 0 ? `paused ${length(pause)}` : '',
    stop > 0 ? `stopped ${length(stop)}` : '',
    `${clock(at.from)} to ${isOpen ? 'now' : clock(at.to ?? present)}`,
  ];
  return [[span(` ${words.filter((word) => word !== '').join(' · ')}`)]];
};

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const sparks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const asciiSparks = [' ', '.', '.', ':', ':', '|', '|', '#', '#'];

/** Below this width the kinds of roles and agents have no room. */
const roomy = 50;

/** What an agent does, for how long, its output in the last minute, and what it cost. Workers of a team come first in their lines: they stay, their tasks change. */
const rosterLine = (
  line: RosterLine,
  widths: { readonly work: number; readonly worker: number },
  width: number,
  theme: Theme,
): Line => {
  const { glyph, tone } = theme.looks[line.stage];
  const isIdle = line.stage === 'waiting' && line.task === null;
  const elapsed = span(` ${line.elapsed.padStart(5)} `, isIdle ? 'secondary' : 'text');
  const work = bold(padded(truncate(line.work, widths.work, theme.glyphs.ellipsis), widths.work));
  const who: Line =
    line.worker === ''
      ? [work, span(width >= roomy ? ` ${line.role} ${line.agent}` : '', 'secondary'), elapsed]
      : [
          isIdle
            ? span(padded(line.worker, widths.worker), 'secondary')
            : bold(padded(line.worker, widths.worker)),
          elapsed,
          ...(isIdle ? [] : [work, span(width >= roomy ? ` ${line.agent} ` : ' ', 'secondary')]),
          ...(isIdle && width >= roomy ? [span('idle: ', 'secondary')] : []),
        ];
  const known = [line.tokens, line.cost].filter((word) => word !== '').join(' · ');
  const start: Line = [span(` ${glyph} `, tone), ...who];
  const facts: Line = [
    span(line.silent, line.stage === 'asks' ? tone : isIdle ? 'secondary' : 'held'),
    span(line.silent !== '' && known !== '' ? ` · ${known}` : known, 'secondary'),
  ];
  const hasPulse = !isIdle && (line.worker === '' || line.silent === '' || width >= roomy);
  // The older part of the pulse gives way to the facts.
  const room = Math.max(1, width - widthOfLine(start) - widthOfLine(facts) - 1);
  const pulse = hasPulse ? [span(`${pulseOf(line, theme).slice(-room)} `, 'accent')] : [];
  return rowFor({ kind: 'row', pane: 'timeline', at: line.id }, [...start, ...pulse, ...facts]);
};

const pulseOf = ({ pulse }: RosterLine, { options }: Theme): string =>
  pulse.map((level) => (options.ascii ? asciiSparks : sparks)[level] ?? ' ').join('');
