import { act, type Command, perform } from '../command.ts';
import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import { headedLines } from '../dialog/headed-lines.ts';
import { blank, type Line, span } from '../draw/span.ts';
import { noOverlays } from '../in-lines.ts';
import type { RehearsalOverlay } from '../overlay.ts';

const titles: Readonly<Record<RehearsalOverlay['stage'], string>> = {
  asks: 'Try this before the work begins?',
  runs: 'Trying what can fail late …',
  done: 'What was tried',
};

/** Asks before anything runs, waits, and tells the result of a rehearsal of the plan. */
export const rehearsalDialog: TextDialog<RehearsalOverlay> = {
  moves: 'text',
  widest: () => 110,
  tone: (_view, { stage }) => (stage === 'asks' ? 'needs-you' : 'accent'),
  title: (_view, { stage }) => titles[stage],
  lines: (_view, { stage, lines }, look): readonly Line[] =>
    stage === 'done'
      ? lines.map((line) => [span(line)])
      : [[span('In a worktree that is thrown away, without a model:')], ...headedLines(lines, look), blank],
  commands: [
    {
      id: 'rehearsal.yes',
      context: 'rehearsal',
      // Not Enter: pressed twice by habit it would run commands that nobody has read.
      keys: ['y'],
      label: 'run these',
      description: 'run exactly these commands in a worktree that is thrown away',
      group: 'Decide',
      inLines: noOverlays,
      footer: 1,
      available: (view) => (asking(view) === null ? 'Nothing is asked here' : true),
      offered: (view) => asking(view) !== null,
      run: (view) => {
        const asked = asking(view);
        return asked === null
          ? []
          : [act({ type: 'overlay-closed' }), perform({ type: 'rehearse', agreed: asked.lines })];
      },
    },
    {
      ...closing('rehearsal', ['escape', 'q', 'ctrl-c']),
      label: (view) => {
        const shown = shownIn(view);
        return shown === null || shown.stage === 'done'
          ? 'close'
          : shown.stage === 'asks'
            ? 'run nothing'
            : 'stop';
      },
      description: 'run nothing, stop what runs, or close the result',
    },
  ],
};

const shownIn = (view: Parameters<Command['run']>[0]): RehearsalOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'rehearsal' ? top : null;
};

const asking = (view: Parameters<Command['run']>[0]): RehearsalOverlay | null => {
  const shown = shownIn(view);
  return shown?.stage === 'asks' ? shown : null;
};
