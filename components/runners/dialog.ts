import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import { headedLines } from '../dialog/headed-lines.ts';
import type { RunnersOverlay } from '../overlay.ts';
import { selectRunnerLines } from './runners-text.ts';

/** The machines, containers and fences that work for the session. */
export const runnersDialog: TextDialog<RunnersOverlay> = {
  moves: 'text',
  widest: () => 100,
  title: () => 'Runners',
  lines: ({ session }, _shown, look) => headedLines(selectRunnerLines(session, look.now), look),
  commands: [closing('runners', ['escape', 'q', 'enter', 'ctrl-c'])],
};
