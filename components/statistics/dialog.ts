import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import { headedLines } from '../dialog/headed-lines.ts';
import type { StatisticsOverlay } from '../overlay.ts';

/** What all sessions of the workspace say together, each rate with what it is a part of. */
export const statisticsDialog: TextDialog<StatisticsOverlay> = {
  moves: 'text',
  widest: () => 100,
  title: () => 'Statistics for the sessions in this workspace',
  lines: (_view, { lines }, look) => headedLines(lines, look),
  commands: [closing('statistics', ['escape', 'q', 'enter', 'ctrl-c'])],
};
