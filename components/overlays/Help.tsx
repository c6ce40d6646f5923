import { type HelpRow, helpWidth, keysWidth } from '../../src/keymap/help-rows.ts';
import { helpRows, withKeys } from '../../src/keymap/table.ts';
import { overlayRows } from '../../src/store/page.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { bold, type Line, span } from '../parts/span.ts';

/** Every key that works, with the reason where one cannot do anything just now. */
export const Help = ({ view, overlay, hints, columns, rows }: OverlayProps<'help'>) => {
  const all = helpRows(view);
  const height = Math.min(all.length, overlayRows(rows) - 1);
  const top = Math.min(overlay.top, all.length - height);
  const below = all.length - top - height;
  const lines = [
    ...all.slice(top, top + height).map(helpLine),
    [
      span(
        below > 0 ? withKeys(view, `${below} more below · {help.down} {help.up} {help.page-down}`) : '',
        'quiet',
      ),
    ],
  ];
  return (
    <Modal
      title="Keys"
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={helpWidth(columns)}
    />
  );
};

const helpLine = (row: HelpRow): Line =>
  row.kind === 'group'
    ? [bold(row.title, 'accent')]
    : [bold(`  ${row.keys.padEnd(keysWidth)}`), span(` ${row.what}`, row.why === null ? 'plain' : 'quiet')];
