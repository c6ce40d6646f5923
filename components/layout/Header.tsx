import { withKeys } from '../../src/keymap/table.ts';
import type { LoopProgress } from '../../src/store/loop/select-loop.ts';
import type { NowLine } from '../../src/store/session/now-line.ts';
import {
  type Header as HeaderView,
  type StripCell,
  selectHeader,
  selectStrip,
} from '../../src/store/session/select-header.ts';
import { selectNow } from '../../src/store/session/select-now.ts';
import { selectOthersWaiting } from '../../src/store/signals/select-attention.ts';
import { count, type LocalTime } from '../../src/store/text/local-time.ts';
import { widthOf } from '../../src/store/text/width.ts';
import type { ViewState } from '../../src/store/view.ts';
import { Lines } from '../parts/Lines.tsx';
import { bold, type Line, type Span, span, spread, widthOfLine } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme, Tone } from '../theme.ts';

interface HeaderProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly columns: number;
}

/** Three lines that never move: the session, the state of the machine, and the current work or what it waits for. */
export const Header = ({ view, now, columns }: HeaderProps) => {
  const theme = useTheme();
  const header = selectHeader(view, now);
  const lines = [
    titleLine(view, header, columns, theme),
    spread(
      stripLine(selectStrip(view.session), columns),
      header.loop === null ? [] : loopLine(header.loop, columns),
      columns,
      theme,
    ),
    nowLine(keysNamed(selectNow(view, now), view), columns, theme),
  ];
  return <Lines lines={lines} width={columns} height={3} />;
};

const titleLine = (view: ViewState, header: HeaderView, columns: number, theme: Theme): Line => {
  const { loop } = header;
  const parts = [
    ...(loop === null
      ? [
          header.iteration > 1 || columns >= 100 ? `iteration ${header.iteration}` : '',
          header.wave,
          header.elapsed,
        ]
      : [loop.turn, loop.until === '' ? header.elapsed : `${header.elapsed} of ${loop.until}`]),
    header.used,
    header.permissions === '' ? '' : `permissions ${header.permissions}`,
    header.unasked,
    header.executors > 0 && loop === null && columns >= 100 ? count(header.executors, 'executor') : '',
  ].filter((part) => part !== '');
  const badge: Line =
    header.needs > 0
      ? [
          {
            text: ` Needs you (${header.needs}) `,
            tone: 'you',
            bold: true,
            inverse: true,
            target: { kind: 'command', id: 'decide.open' },
          },
          span(' '),
        ]
      : header.connection === ''
        ? []
        : [span(`${header.connection} `, 'warn')];
  const others = selectOthersWaiting(view);
  const waiting: Line =
    others === null
      ? []
      : [
          {
            text: `${withKeys(view, columns >= 100 ? others.text : others.short)} `,
            tone: 'you',
            bold: true,
            target: { kind: 'command', id: 'arrive.sessions' },
          },
        ];
  const left: Line = [
    bold(` ${header.session}`),
    span(parts.map((part) => ` · ${part}`).join(''), 'quiet'),
    span(header.goal === '' ? '' : ` · ${header.goal}`, 'quiet'),
  ];
  return spread(left, [...waiting, ...badge], columns, theme);
};

/** The current state stands in brackets, so that it shows without colour. On a narrow screen skipped states are left out first. */
const stripLine = (cells: readonly StripCell[], columns: number): Line => {
  const tight = cells.filter((cell) => cell.phase !== 'skipped');
  const forms = [strip(cells, ' › '), strip(cells, ' '), strip(tight, ' ')];
  return forms.find((form) => widthOfLine(form) < columns) ?? strip(tight, ' ');
};

/** Columns of the strip of a loop and a gap after it. */
const stripColumns = 36;

/** Beside the strip of a loop: what would end it soon, and the boxes where there is room for both. */
const loopLine = ({ boxes, soon }: LoopProgress, columns: number): Line => {
  const quiet = span(`${boxes} `, 'quiet');
  if (soon === null) return [quiet];
  const near = (text: string): Line => [span(`${text} `, 'warn')];
  const forms = [soon.text, soon.short].flatMap((text) =>
    boxes === '' ? [near(text)] : [[...near(text), span('· ', 'quiet'), quiet], near(text)],
  );
  return forms.find((form) => widthOfLine(form) <= columns - stripColumns) ?? near(soon.short);
};

const strip = (cells: readonly StripCell[], gap: string): Line =>
  cells.flatMap((cell, index): readonly Span[] => [
    span(index === 0 ? ' ' : gap, 'quiet'),
    cell.phase === 'current'
      ? { text: `[${cell.word}]`, tone: 'accent', bold: true }
      : span(cell.word, cell.phase === 'passed' ? 'plain' : 'quiet'),
  ]);

const nowTones: { readonly [tone in NowLine['tone']]: Tone } = {
  work: 'plain',
  wait: 'warn',
  you: 'you',
  held: 'warn',
  good: 'good',
  bad: 'bad',
};

const keysNamed = (line: NowLine, view: ViewState): NowLine => ({
  ...line,
  text: withKeys(view, line.text),
  ...(line.short === undefined ? {} : { short: withKeys(view, line.short) }),
});

const nowLine = (line: NowLine, columns: number, theme: Theme): Line => {
  const fits = widthOf(line.text) <= columns - 4;
  return [
    span(` ${line.tone === 'work' ? theme.glyphs.run : theme.glyphs.cursor} `, nowTones[line.tone]),
    {
      text: fits ? line.text : (line.short ?? line.text),
      tone: nowTones[line.tone],
      bold: line.tone !== 'work',
    },
  ];
};
