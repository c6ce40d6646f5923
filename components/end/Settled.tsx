import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, type Line, span } from '../draw/span.ts';
import { withKeys } from '../table.ts';

/** Why the dialog that was open here no longer applies. */
export const Settled = ({ view, overlay, hints, columns, rows }: OverlayProps<'settled'>) => {
  const width = Math.min(72, columns - 4);
  const text = wrap(withKeys(view, overlay.text), width - 4).map((line): Line => [span(line)]);
  return (
    <Modal
      title="Already settled"
      lines={[blank, ...text, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
