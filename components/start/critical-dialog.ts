import { wrap } from '../../src/words/width.ts';
import type { MenuDialog } from '../dialog/dialog.ts';
import { blank, type Line, span } from '../draw/span.ts';
import { criticalCommands } from './critical-commands.ts';
import type { CriticalOverlay } from './start-list.ts';

/** Critical findings before agents start. */
export const criticalDialog: MenuDialog<CriticalOverlay> = {
  moves: 'cursor',
  widest: () => 96,
  tone: () => 'failed',
  title: (_view, { findings }) =>
    `${findings.length} critical finding${findings.length === 1 ? '' : 's'}: start anyway?`,
  items: (_view, { findings }) =>
    findings.map(({ line }) => (here) => [[{ text: line, bold: here, tone: 'failed' }]]),
  // The finding under the cursor, and what to do about it.
  below: (_view, { findings, cursor }, { width }) => {
    const here = findings[cursor];
    const told = here === undefined ? [] : wrap(`${here.line}. ${here.advice}`, width - 1).slice(0, 4);
    return [blank, ...told.map((text): Line => [span(` ${text}`, 'secondary')]), blank];
  },
  commands: criticalCommands,
};
