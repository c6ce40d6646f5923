import { type SignalRow, selectChosenSignal, selectSignals } from '../../src/store/signals/select-signals.ts';
import { truncate } from '../../src/store/text/width.ts';
import { listTop } from '../../src/store/text/window-top.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { bold, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme, Tone } from '../theme.ts';

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
  const top = listTop(view.ui.tops[list], rows.length, Math.max(0, at), height);
  const lines = rows
    .slice(top, top + height)
    .map((row) =>
      rowFor(
        { kind: 'signal', list, id: row.id },
        signalLine(row, { theme, at: focused && row.id === chosen, width }),
      ),
    );
  return <Lines lines={lines} width={width} height={height} />;
};

const tones: { readonly [stage in SignalRow['stage']]: Tone } = {
  pending: 'warn',
  claimed: 'accent',
  delivered: 'accent',
  handled: 'good',
  unanswered: 'warn',
  rejected: 'bad',
  undelivered: 'warn',
  withdrawn: 'quiet',
};

interface Look {
  readonly theme: Theme;
  readonly at: boolean;
  readonly width: number;
}

/** `STEER english  Use 'bar' … · queued: …`: the first words of the message identify it; its status gets the rest. */
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
