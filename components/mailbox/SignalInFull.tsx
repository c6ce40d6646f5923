import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { type Line, span } from '../draw/span.ts';
import { selectSignal } from './select-signal.ts';

/** One signal with its whole life. */
export const SignalInFull = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'signal'>) => {
  const width = Math.min(96, columns - 4);
  const all = selectSignal(view, overlay.id, now).flatMap(([label, text]) =>
    wrap(text, width - 13).map(
      (line, index): Line => [span((index === 0 ? label : '').padEnd(9), 'secondary'), span(line)],
    ),
  );
  const height = Math.min(all.length, overlayRows(rows));
  const top = Math.min(overlay.top, all.length - height);
  return (
    <Modal
      title="Signal"
      lines={all.slice(top, top + height)}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
