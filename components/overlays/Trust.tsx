import { selectTrustLines, trustWidth } from '../../src/store/overlays/select-trust.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, span } from '../parts/span.ts';

/** Asks before anything from the repository runs. Items that do not fit are counted, so that none hides below the edge. */
export const Trust = ({ overlay, hints, columns, rows }: OverlayProps<'trust'>) => {
  const all = selectTrustLines(overlay, columns);
  // One row counts hidden items, one separates the keys.
  const room = overlayRows(rows) - 2;
  const height = Math.min(all.length, room);
  const top = Math.min(overlay.top, all.length - height);
  const below = all.length - top - height;
  const edge: Line =
    all.length <= height ? blank : [span(below > 0 ? `↓ ${below} more` : 'the end', 'secondary')];
  const lines: readonly Line[] = [
    ...all
      .slice(top, top + height)
      .map((text): Line => [span(text, text.startsWith(' ') ? 'text' : 'accent')]),
    edge,
  ];
  return (
    <Modal
      tone="needs-you"
      title="Trust and run this?"
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={trustWidth(columns)}
    />
  );
};
