import { withKeys } from '../../src/keymap/table.ts';
import type { NowLine } from '../../src/store/session/now-line.ts';
import { type StripCell, selectHeader, selectStrip } from '../../src/store/session/select-header.ts';
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
  const lines = [
    titleLine(view, now, columns, theme),
    stripLine(selectStrip(view.session), columns),
    nowLine(keysNamed(selectNow(view, now), view), columns, theme),
  ];
  return <Lines lines={lines} width={columns} height={3} />;
};

const titleLine = (view: ViewState, now: LocalTime, columns: number, theme: Theme): Line => {
  const header = selectHeader(view, now);
  const parts = [
    header.iteration > 1 || columns >= 100 ? `iteration ${header.iteration}` : '',
    header.wave,
    header.elapsed,
    header.permissions === '' ? '' : `permissions ${header.permissions}`,
    header.unasked,
    header.executors > 0 && columns >= 100 ? count(header.executors, 'executor') : '',
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
