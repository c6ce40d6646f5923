import type { LocalTime } from '../../src/words/local-time.ts';
import { Modal } from '../draw/Modal.tsx';
import { useTheme } from '../draw/theme-context.tsx';
import type { DialogOverlay } from '../overlay.ts';
import { type Hint, withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import type { Dialog as Entry } from './dialog.ts';
import { dialogLines, dialogWidth } from './dialog-lines.ts';

interface DialogProps {
  readonly view: ViewState;
  readonly dialog: Entry<DialogOverlay>;
  readonly overlay: DialogOverlay;
  readonly now: LocalTime;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}

/** A dialog of the list, drawn as its entry says. */
export const Dialog = ({ view, dialog, overlay, now, hints, columns, rows }: DialogProps) => {
  const theme = useTheme();
  const width = dialogWidth(dialog, overlay, { columns, rows });
  const keys = (text: string): string => withKeys(view, text);
  return (
    <Modal
      tone={dialog.tone?.(view, overlay) ?? 'accent'}
      title={dialog.title(view, overlay)}
      lines={dialogLines(dialog, view, overlay, { width: width - 4, columns, rows, now, theme, keys })}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
