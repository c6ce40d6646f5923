import { formatSince } from '../../src/store/moment.ts';
import { selectNeeds } from '../../src/store/select-needs.ts';
import { wrap } from '../../src/store/width.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, rowFor, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** The queue of what waits for a person, oldest first. */
export const NeedsYou = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'needs-you'>) => {
  const theme = useTheme();
  const width = Math.min(80, columns - 4);
  const needs = selectNeeds(view);
  const lines = needs.map((need, index): Line => {
    const here = index === overlay.cursor;
    const left: Line = [span(here ? theme.glyphs.cursor : ' ', 'accent'), { text: need.text, bold: here }];
    return rowFor(
      { kind: 'item', item: index },
      spread(left, [span(`waits ${formatSince(need.since, now)}`, 'quiet')], width - 4, theme),
    );
  });
  const permissions = wrap(
    'Permissions: script asks for none. An agent that does will ask here.',
    width - 4,
  ).map((text): Line => [span(text, 'quiet')]);
  const shown = needs.length === 0 ? [[span('Nothing waits for you any more.', 'quiet')]] : lines;
  return (
    <Modal
      title="Needs you"
      lines={[blank, ...shown, blank, ...permissions, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
