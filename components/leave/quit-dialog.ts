import { wrap } from '../../src/words/width.ts';
import { closing } from '../dialog/closing.ts';
import type { MenuDialog } from '../dialog/dialog.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import type { QuitOverlay } from '../overlay.ts';
import { selectQuitChoices } from './select-quit.ts';

const labelWidth = 20;

/** Asks what happens to the work after leaving. */
export const quitDialog: MenuDialog<QuitOverlay> = {
  moves: 'cursor',
  widest: () => 84,
  title: () => 'Leave?',
  above: (view, _shown, { keys }) =>
    selectQuitChoices(view).length > 0
      ? [blank]
      : [blank, [span(keys('Nothing is running now: press {quit.close}, then {leave.quit}.'), 'secondary')]],
  items: (view, _shown, { width }) =>
    selectQuitChoices(view).map(({ label, consequence }) => () => {
      const rows = wrap(consequence, Math.max(20, width - 1 - labelWidth));
      return rows.map((text, row): Line => [bold((row === 0 ? label : '').padEnd(labelWidth)), span(text)]);
    }),
  below: () => [blank],
  commands: [{ ...closing('quit', ['escape', 'q']), label: 'stay' }],
};
