import { type SignalRow, selectChosenSignal, selectSignals } from '../../src/store/select-signals.ts';
import { truncate } from '../../src/store/width.ts';
import { listTop } from '../../src/store/window-top.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { bold, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme, Tone } from '../theme.ts';

/** Signals on their way: where and when each will be read. */
export const InboxPane = (props: PaneProps) => (
  <SignalList {...props} list="inbox" empty="No signal is waiting." />
);

/** Signals at rest: by whom, where and how each was handled. */
export const ProcessedPane = (props: PaneProps) => (
  <SignalList {...props} list="processed" empty="No signal has been handled yet." />
);

interface SignalListProps extends PaneProps {
  readonly list: 'inbox' | 'processed';
  readonly empty: string;
}

const SignalList = ({ view, width, height, focused, list, empty }: SignalListProps) => {
  const theme = useTheme();
  const rows = selectSignals(view)[list];
  const chosen = selectChosenSignal(view, list);
  const at = rows.findIndex((row) => row.id === chosen);
  const top = listTop(view.ui.tops[list], rows.length, Math.max(0, at), height);
  const lines = rows
    .slice(top, top + height)
    .map((row) =>
      rowFor(
        { kind: 'signal', list, id: row.id },
        signalLine(row, { theme, at: focused && row.id === chosen, width }),
      ),
    );
  return (
    <Lines lines={rows.length === 0 ? [[span(` ${empty}`, 'quiet')]] : lines} width={width} height={height} />
  );
};

const tones: { readonly [stage in SignalRow['stage']]: Tone } = {
  pending: 'warn',
  claimed: 'accent',
  delivered: 'accent',
  handled: 'good',
  rejected: 'bad',
  undelivered: 'warn',
  withdrawn: 'quiet',
};

interface Look {
  readonly theme: Theme;
  readonly at: boolean;
  readonly width: number;
}

/** `STEER english  Use 'bar' … · queued: …`: what it says is told apart by its first words, what became of it has the rest. */
const signalLine = (row: SignalRow, { theme, at, width }: Look): Line => {
  const room = Math.max(10, Math.floor(width * 0.34));
  return [
    span(at ? theme.glyphs.cursor : ' ', 'accent'),
    bold(row.type.padEnd(8), row.type === 'ABORT' ? 'bad' : 'plain'),
    span(row.target === 'ALL' ? '' : `${row.target} `, 'accent'),
    span(row.message === '' ? '' : `${truncate(row.message, room, theme.glyphs.ellipsis)} · `),
    span(row.word, tones[row.stage]),
  ];
};
