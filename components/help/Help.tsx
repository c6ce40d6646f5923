import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { widthOf } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { bold, fillLine, type Line, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { useOnType } from '../draw/type-context.tsx';
import { helpRows, withKeys } from '../table.ts';
import {
  betweenColumns,
  firstColumn,
  helpColumns,
  helpColumnWidth,
  helpHeight,
  helpWidth,
  keysWidth,
  splitOf,
} from './help-columns.ts';
import type { HelpRow } from './help-row.ts';
import { topicWidth } from './help-rows.ts';

/**
 * Every key that works, with the reason where one cannot do anything just now. The last line holds the filter; while it has the keys
 * `ink-text-input` reads them, which may lose one of two keys that come in the same tick: here that costs nothing.
 */
export const Help = ({ view, overlay, hints, columns, rows }: OverlayProps<'help'>) => {
  const theme = useTheme();
  const onType = useOnType();
  const all = helpRows(view);
  const inTwo = helpColumns(columns) === 2;
  const split = splitOf(all);
  const whole = inTwo ? Math.max(split, all.length - split) : all.length;
  const height = Math.max(1, Math.min(whole, helpHeight(rows)));
  const top = Math.max(0, Math.min(overlay.top, all.length - (inTwo ? 2 * height : height)));
  const second = !inTwo ? height : whole <= height ? split : firstColumn(all, top, height);
  const shownRows = inTwo ? second + height : height;
  const below = Math.max(0, all.length - top - shownRows);
  const width = helpWidth(columns);
  const text = overlay.filter?.text ?? '';
  const focused = overlay.filter?.focused === true;
  const shown = text === '' ? [] : [span(`/ ${text}`, 'accent')];
  // The field draws its text over these blanks. The caret behind it is ours: the terminal's own cursor stands there.
  const open = [
    span('/', 'accent'),
    span(' '.repeat(widthOf(text) + 1)),
    { text: ' ', caret: true } as const,
  ];
  const field: Line = focused ? open : shown;
  const more =
    below > 0 ? withKeys(view, `${below} more below · {help.down} {help.up} {help.page-down}`) : '';
  // The text keeps clear of the words at the other end of its line, and of a second line.
  const room = width - 4 - 2 - 1 - (field.length > 0 ? moreRoom : 0);
  const lines = [
    ...(all.length === 0
      ? [[span('No key matches.', 'secondary')]]
      : Array.from({ length: height }, (_, index) => {
          const row = index < second ? all[top + index] : undefined;
          const beside = inTwo ? all[top + second + index] : undefined;
          const left = row === undefined ? [] : helpLine(row, theme);
          if (beside === undefined) return left;
          const cells = helpColumnWidth(columns) + betweenColumns;
          return [...fillLine(left, cells, theme), ...helpLine(beside, theme)];
        })),
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
            showCursor={false}
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
  if (row.kind === 'topic') return [span(` ${row.title.padEnd(topicWidth)}`), span(row.keys, 'secondary')];
  if (row.kind === 'sign') {
    const { glyph, tone } = theme.looks[row.look];
    return [{ text: ` ${glyph.padEnd(keysWidth)}`, tone }, span(` ${row.what}`)];
  }
  const { keys, title, what, why } = row;
  return [
    bold(` ${keys.padEnd(keysWidth)} `, why === null ? 'accent' : 'secondary'),
    why === null ? bold(title) : span(title, 'secondary'),
    span(what, 'secondary'),
  ];
};
