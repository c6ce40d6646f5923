import { count } from '../../src/words/local-time.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import { selectTrustLines, trustMatches, trustWidth } from './select-trust.ts';

/** Asks before anything from the repository runs. Items that do not fit are counted, so that none hides below the edge. */
export const Trust = ({ overlay, hints, columns, rows }: OverlayProps<'trust'>) => {
  const all = selectTrustLines(overlay, columns);
  // One row counts hidden items, one separates the keys.
  const room = overlayRows(rows) - 2;
  const height = Math.min(all.length, room);
  const top = Math.min(overlay.top, all.length - height);
  const below = all.length - top - height;
  const found = new Set(trustMatches(all, overlay.find ?? ''));
  const where = below > 0 ? `↓ ${below} more` : 'the end';
  const matches = (overlay.find ?? '') === '' ? '' : ` · "${overlay.find}": ${count(found.size, 'row')}`;
  const edge: Line = all.length <= height ? blank : [span(where + matches, 'secondary')];
  const lines: readonly Line[] = [
    ...all.slice(top, top + height).map((text, index): Line => {
      if (found.has(top + index)) return [bold(text, 'needs-you')];
      return [span(text, text.startsWith(' ') ? 'text' : 'accent')];
    }),
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
