import { wrap } from '../../src/words/width.ts';
import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import { type Line, span } from '../draw/span.ts';
import type { SignalOverlay } from '../overlay.ts';
import { selectSignal } from './select-signal.ts';

const labelWidth = 9;

/** One signal with its whole life. */
export const signalDialog: TextDialog<SignalOverlay> = {
  moves: 'text',
  widest: () => 96,
  title: () => 'Signal',
  lines: (view, { id }, { width, now }) =>
    selectSignal(view, id, now).flatMap(([label, text]) =>
      wrap(text, width - labelWidth).map(
        (line, index): Line => [span((index === 0 ? label : '').padEnd(labelWidth), 'secondary'), span(line)],
      ),
    ),
  commands: [closing('signal', ['escape', 'q', 'enter', 'ctrl-c'])],
};
