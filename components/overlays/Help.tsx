import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { type HelpRow, helpWidth, keysWidth } from '../../src/keymap/help-rows.ts';
import { helpRows, withKeys } from '../../src/keymap/table.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { widthOf } from '../../src/store/text/width.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { bold, type Line, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import { useOnType } from '../parts/type-context.ts';
import type { Theme } from '../theme.ts';

/**
 * Every key that works, with the reason where one cannot do anything just now. The last line holds the filter; while it has the keys
 * `ink-text-input` reads them, which may lose one of two keys that come in the same tick: here that costs nothing.
 */
export const Help = ({ view, overlay, hints, columns, rows }: OverlayProps<'help'>) => {
  const theme = useTheme();
  const onType = useOnType();
  const all = helpRows(view);
  const height = Math.max(1, Math.min(all.length, overlayRows(rows) - 1));
  const top = Math.max(0, Math.min(overlay.top, all.length - height));
  const below = Math.max(0, all.length - top - height);
  const width = helpWidth(columns);
  const text = overlay.filter?.text ?? '';
  const focused = overlay.filter?.focused === true;
  const field: Line = focused ? [span('/', 'accent')] : text === '' ? [] : [span(`/ ${text}`, 'accent')];
  const more =
    below > 0 ? withKeys(view, `${below} more below · {help.down} {help.up} {help.page-down}`) : '';
  // The text keeps clear of the words at the other end of its line, and of a second line.
  const room = width - 4 - 2 - 1 - (field.length > 0 ? moreRoom : 0);
  const lines = [
    ...(all.length === 0 ? [[span('No key fits.', 'secondary')]] : all.slice(top, top + height)).map((row) =>
      'kind' in row ? helpLine(row, theme) : row,
    ),
    field.length === 0
      ? [span(more, 'secondary')]
      : spread(field, [span(below > 0 ? `${below} more below` : '', 'secondary')], width - 4, theme),
  ];
  return (
    <Modal title="Keys" lines={lines} hints={hints} columns={columns} rows={rows} width={width}>
      {focused && (
        <Box position="absolute" left={fieldLeft} top={lines.length} width={room + 1} height={1}>
          <TextInput
            value={text}
            onChange={(typed) => {
              if (widthOf(typed) <= room) onType(typed);
            }}
          />
        </Box>
      )}
    </Modal>
  );
};

/** Cells of the longest "N more below" and the blank before it. */
const moreRoom = 16;

/** Behind the blank column, the frame, a blank and "/ ". */
const fieldLeft = 5;

const helpLine = (row: HelpRow, theme: Theme): Line => {
  if (row.kind === 'group') return [bold(row.title, 'accent')];
  if (row.kind === 'sign') {
    const { glyph, tone } = theme.looks[row.look];
    return [{ text: `  ${glyph.padEnd(keysWidth)}`, tone }, span(` ${row.what}`)];
  }
  return [
    bold(`  ${row.keys.padEnd(keysWidth)}`),
    span(` ${row.what}`, row.why === null ? 'text' : 'secondary'),
  ];
};
