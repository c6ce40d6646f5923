import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, bold, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { withKeys } from '../table.ts';
import { selectQuitChoices } from './select-quit.ts';

/** Asks what happens to the work after leaving. */
export const Quit = ({ view, overlay, hints, columns, rows }: OverlayProps<'quit'>) => {
  const theme = useTheme();
  const width = Math.min(84, columns - 4);
  const lines = selectQuitChoices(view).flatMap((choice, index): readonly Line[] => {
    const here = index === overlay.cursor;
    const [first = '', ...more] = wrap(choice.consequence, Math.max(20, width - 4 - 21));
    const lines: readonly Line[] = [
      [cursorMark(here, theme), bold(choice.label.padEnd(20)), span(first)],
      ...more.map((text): Line => [span(' '.repeat(21)), span(text)]),
    ];
    return lines.map((line) => rowFor({ kind: 'item', item: index }, line));
  });
  const shown =
    lines.length === 0
      ? [
          [
            span(
              withKeys(view, 'Nothing is running now: press {quit.close}, then {leave.quit}.'),
              'secondary',
            ),
          ],
        ]
      : lines;
  return (
    <Modal
      title="Leave?"
      lines={[blank, ...shown, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
