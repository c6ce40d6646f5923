import { selectQuitChoices } from '../../src/store/select-quit.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** What shall become of the work when one leaves. */
export const Quit = ({ view, overlay, hints, columns, rows }: OverlayProps<'quit'>) => {
  const theme = useTheme();
  const lines = selectQuitChoices(view).map((choice, index): Line => {
    const here = index === overlay.cursor;
    return [
      span(here ? theme.glyphs.cursor : ' ', 'accent'),
      { text: choice.label.padEnd(20), bold: here },
      span(choice.consequence, 'quiet'),
    ];
  });
  const shown = lines.length === 0 ? [[span('Nothing runs any more: press q again.', 'quiet')]] : lines;
  return (
    <Modal
      title="Leave?"
      lines={[blank, ...shown, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={Math.min(84, columns - 4)}
    />
  );
};
