import { safe } from '../../src/base/safe.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import { issueOfferWords } from './issue-offer-words.ts';

/** The groups of issues that a run can begin with. */
export const ReadyGroups = ({ overlay, hints, columns, rows }: OverlayProps<'ready-groups'>) => {
  const theme = useTheme();
  const { groups, cursor } = overlay;
  const column = Math.max(...groups.map(({ issue }) => safe(issue).length)) + 2;
  const height = Math.max(1, overlayRows(rows) - 3);
  const top = windowTop(groups.length, cursor, height);
  const shown = groups.slice(top, top + height).map((offer, at): Line => {
    const item = top + at;
    const here = item === cursor;
    return rowFor({ kind: 'item', item }, [
      cursorMark(here, theme),
      { text: safe(offer.issue).padEnd(column), bold: here },
      span(issueOfferWords(offer), here ? 'text' : 'secondary'),
    ]);
  });
  const below = groups.length - top - shown.length;
  const lines: readonly Line[] = [
    [span('A run takes a group from triage to merge. You will see its tasks first.', 'secondary')],
    blank,
    ...shown,
    [span(below > 0 ? `  ${below} more below` : '', 'secondary')],
  ];
  return (
    <Modal
      title="Which issue?"
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={Math.min(96, columns - 4)}
    />
  );
};
