import { widthOf } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import type { Tone } from '../draw/palettes.ts';
import { bold, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { listTop } from '../draw/window-top.ts';
import { signalsIn } from '../layout.ts';
import type { PaneProps } from '../pane/pane-props.ts';
import { type SignalRow, selectChosenSignal, selectSignals } from './select-signals.ts';

/** Pending signals: where and when each will be read. */
export const InboxPane = (props: PaneProps) => <SignalList {...props} list="inbox" />;

/** Settled signals: by whom, where and how each was handled. */
export const ProcessedPane = (props: PaneProps) => <SignalList {...props} list="processed" />;

interface SignalListProps extends PaneProps {
  readonly list: 'inbox' | 'processed';
}

const SignalList = ({ view, width, height, focused, list }: SignalListProps) => {
  const theme = useTheme();
  const rows = selectSignals(view)[list];
  const chosen = selectChosenSignal(view, list);
  const at = rows.findIndex((row) => row.id === chosen);
  const room = signalsIn(height);
  const top = listTop(view.ui.tops[list], rows.length, Math.max(0, at), room);
  const lines = rows
    .slice(top, top + room)
    .flatMap((row) =>
      signalLines(row, { theme, at: row.id === chosen, focused, width }).map((line) =>
        rowFor({ kind: 'signal', list, id: row.id }, line),
      ),
    );
  return <Lines lines={lines} width={width} height={height} />;
};

const tones: { readonly [stage in SignalRow['stage']]: Tone } = {
  pending: 'held',
  claimed: 'accent',
  delivered: 'accent',
  handled: 'done',
  unanswered: 'held',
  rejected: 'failed',
  undelivered: 'held',
  withdrawn: 'secondary',
};

/** Cells before the effect of a signal, under its words. */
const indent = ' '.repeat(8);

interface Look {
  readonly theme: Theme;
  readonly at: boolean;
  readonly focused: boolean;
  readonly width: number;
}

/** What was said to whom, and below it when it will be read, or the outcome. */
const signalLines = (row: SignalRow, { theme, at, focused, width }: Look): readonly Line[] => {
  const mark = cursorMark(at, theme, focused);
  const forms = [row.word, ...row.shorter];
  const word = forms.find((form) => widthOf(form) <= width - indent.length - 1) ?? forms.at(-1);
  return [
    [
      mark,
      bold(row.type.padEnd(8), row.type === 'ABORT' ? 'failed' : 'text'),
      span(row.target === 'ALL' ? '' : `${row.target} `, 'accent'),
      span(row.message),
    ],
    [
      { ...mark, text: at ? theme.glyphs.cursor : ' ' },
      span(`${indent}${word}`, row.unheeded ? 'held' : tones[row.stage]),
    ],
  ];
};
