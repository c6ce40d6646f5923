import type { LocalTime } from '../../src/words/local-time.ts';
import { truncate, widthOf } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import type { Tone } from '../draw/palettes.ts';
import { bold, type Line, type Span, span, spread, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { LoopProgress } from '../loop/select-loop.ts';
import { selectOthersWaiting } from '../needs/select-attention.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import type { StripCell } from './flow-strip.ts';
import type { NowLine } from './now-line.ts';
import { type Header as HeaderView, isBlank, type Progress, selectHeader } from './select-header.ts';
import { selectNow } from './select-now.ts';
import { selectStrip } from './select-strip.ts';

interface HeaderProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly columns: number;
}

/** Three lines that never move: the goal and how far it is, the state of the machine, and the current work or what it waits for. */
export const Header = ({ view, now, columns }: HeaderProps) => {
  const theme = useTheme();
  // The start screen has the name in its own picture.
  if (isBlank(view)) {
    const lines = view.ui.overlays.at(-1)?.kind === 'start' ? [] : welcome(columns);
    return <Lines lines={lines} width={columns} height={3} />;
  }
  const header = selectHeader(view, now);
  const lines = [
    goalLine(view, header, columns, theme),
    stateLine(view, header, columns, theme),
    nowLine(keysNamed(selectNow(view, now), view), columns, theme),
  ];
  return <Lines lines={lines} width={columns} height={3} />;
};

/** The name of the program and what it is for, where no session says more. */
export const welcome = (columns: number): readonly Line[] => [
  [bold(' ralph-tui', 'accent')],
  [
    span(
      columns < 72
        ? ' Agents do the work; you watch and steer.'
        : ' Say what should be done; agents do it while you watch and steer.',
    ),
  ],
];

/** The goal, whole as long as it fits; at the end how far it is, for how long, for how much, and who waits for a person. */
const goalLine = (view: ViewState, header: HeaderView, columns: number, theme: Theme): Line => {
  const { loop, progress } = header;
  const time = loop === null || loop.until === '' ? header.elapsed : `${header.elapsed} of ${loop.until}`;
  const facts = [time, header.used].filter((part) => part !== '').join(' · ');
  const bar = progress === null ? [] : barLine(progress, columns, theme);
  const far: Line =
    progress === null
      ? []
      : [bold(`${progress.done}/${progress.total}`), span(progress.of === 'boxes' ? ' boxes  ' : '  ')];
  const needs: Line =
    header.needs > 0
      ? [
          {
            text: ` Needs you (${header.needs}) `,
            ...{
              tone: 'needs-you',
              bold: true,
              inverse: true,
              target: { kind: 'command', id: 'decide.open' },
            },
          },
          span(' '),
        ]
      : [];
  const goal = [bold(` ${header.goal === '' ? header.session : header.goal}`)];
  const end = [...far, span(facts === '' ? '' : `${facts} `), ...othersLine(view, columns), ...needs];
  // The bar says nothing that the number does not: it gives way to the end of the goal.
  const hasBar = widthOfLine(goal) + widthOfLine(bar) + widthOfLine(end) < columns;
  return spread(goal, hasBar ? [...bar, ...end] : end, columns, theme);
};

const othersLine = (view: ViewState, columns: number): Line => {
  const others = selectOthersWaiting(view);
  if (others === null) return [];
  const text = `${withKeys(view, columns >= 100 ? others.text : others.short)} `;
  return [{ text, tone: 'needs-you', bold: true, target: { kind: 'command', id: 'session.list' } }];
};

/** `▰▰▰▱▱`: as many parts done as tasks or boxes are. */
const barLine = ({ done, failed, total }: Progress, columns: number, { glyphs }: Theme): Line => {
  const cells = columns < 100 ? 5 : 10;
  const full = Math.floor((cells * done) / total);
  // Together they fill what both fill: once nothing is left, no cell is open.
  const both = Math.floor((cells * (done + failed)) / total);
  const lost = failed === 0 ? 0 : Math.max(1, both - full);
  return [
    span(glyphs.full.repeat(full), 'done'),
    span(glyphs.full.repeat(Math.min(lost, cells - full)), 'failed'),
    span(glyphs.open.repeat(Math.max(0, cells - full - lost)), 'furniture'),
    span(' '),
  ];
};

/** The strip where there is room for it, else the current state; then the time left and the iteration, and at the end how this screen stands to it. */
const stateLine = (view: ViewState, header: HeaderView, columns: number, theme: Theme): Line => {
  const facts = factsLine(header, columns);
  const end = endOfState(header, columns);
  const states = statesLine(view, columns, columns - widthOfLine([...facts, ...end]), theme);
  return spread([...states, ...facts], end, columns, theme);
};

const statesLine = (view: ViewState, columns: number, room: number, theme: Theme): Line => {
  const cells = selectStrip(view.session);
  const current = cells.filter(({ phase }) => phase === 'current');
  return columns < 100
    ? [
        span(' '),
        bold(
          current.length === 0 ? 'Start' : current.map(({ word }) => word).join(', '),
          current.some(({ isBad }) => isBad) ? 'failed' : 'now',
        ),
        ...cells.flatMap((cell) =>
          cell.note === undefined ? [] : [span(` · ${noted(cell, theme)}`, 'failed')],
        ),
      ]
    : stripLine(
        cells.filter((cell) => cell.phase !== 'skipped'),
        room,
        theme,
      );
};

/** What is true of the state, behind it. */
const factsLine = (header: HeaderView, columns: number): Line => {
  const facts = [
    header.loop?.turn ?? leftWords(header, columns),
    header.iteration > 1 ? `iteration ${header.iteration}` : '',
    // Everything allowed is worth a place; the other presets are in Details.
    header.permissions === 'all' ? 'permissions all' : '',
  ];
  const joined = (parts: readonly string[]): string =>
    parts
      .filter((part) => part !== '')
      .map((part) => ` · ${part}`)
      .join('');
  // What the permissions do not hold back is read before what they ask.
  const gaps = joined([header.unfenced]);
  return [span(joined(facts), 'secondary'), span(gaps, 'held')];
};

/** How long the work still takes, where that is known, and where there is room the task that decides it. */
const leftWords = ({ left }: HeaderView, columns: number): string => {
  if (left === null) return '';
  const decides = left.task === '' || columns < 120 ? '' : `, decided by ${left.task}`;
  return `${left.words}${decides}`;
};

/** What would end a loop soon; and where this screen stands to the session, unless it runs here. */
const endOfState = (header: HeaderView, columns: number): Line => [
  ...(header.loop === null ? [] : loopLine(header.loop, columns)),
  ...(header.connection === '' ? [] : [span(`${header.connection} `, 'held')]),
];

/** The current state is in brackets, so that it shows without colour. */
const stripLine = (cells: readonly StripCell[], room: number, theme: Theme): Line => {
  const wide = strip(cells, ' › ', theme);
  return widthOfLine(wide) <= room ? wide : strip(cells, ' ', theme);
};

/** Columns of the strip of a loop and a gap after it. */
const stripColumns = 36;

/** Beside the strip of a loop: what would end it soon. */
const loopLine = ({ soon }: LoopProgress, columns: number): Line => {
  if (soon === null) return [];
  const text = widthOf(soon.text) < columns - stripColumns ? soon.text : soon.short;
  return [span(`${text} `, 'held')];
};

/** "✗ Work: 1 failed". */
const noted = ({ word, note }: StripCell, { looks }: Theme): string =>
  `${looks.failed.glyph} ${word}: ${note}`;

const strip = (cells: readonly StripCell[], gap: string, theme: Theme): Line =>
  cells.flatMap((cell, index): readonly Span[] => [
    span(index === 0 ? ' ' : gap, 'secondary'),
    cell.phase === 'current'
      ? { text: `[${cell.word}]`, tone: cell.isBad ? 'failed' : 'now', bold: true }
      : cell.note !== undefined
        ? span(noted(cell, theme), 'failed')
        : span(cell.word, cell.phase === 'passed' ? 'text' : 'secondary'),
  ]);

const nowTones: { readonly [tone in NowLine['tone']]: Tone } = {
  work: 'text',
  wait: 'held',
  you: 'needs-you',
  held: 'held',
  good: 'done',
  bad: 'failed',
};

const keysNamed = (line: NowLine, view: ViewState): NowLine => ({
  ...line,
  text: withKeys(view, line.text),
  ...(line.short === undefined ? {} : { short: withKeys(view, line.short) }),
  ...(line.last === undefined ? {} : { last: withKeys(view, line.last) }),
});

const nowLine = (line: NowLine, columns: number, theme: Theme): Line => {
  return [
    span(` ${line.tone === 'work' ? theme.glyphs.run : theme.glyphs.cursor} `, nowTones[line.tone]),
    {
      text: fitted(line, columns - 4, theme),
      tone: nowTones[line.tone],
      bold: line.tone !== 'work',
    },
  ];
};

/** The line as it fits: whole, short, or cut before the words that name the key. */
const fitted = ({ text, short = text, last }: NowLine, width: number, { glyphs }: Theme): string => {
  if (widthOf(text) <= width) return text;
  if (!last || widthOf(short) <= width || !short.endsWith(last)) return short;
  return truncate(short.slice(0, -last.length), width - widthOf(last), glyphs.ellipsis) + last;
};
