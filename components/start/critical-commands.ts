import { act, always, type Command, perform, terminal } from '../command.ts';
import { type InLines, noOverlays } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import type { CriticalOverlay } from './start-list.ts';

const listedBefore: InLines = { instead: '`ralph-tui run` lists critical findings before it starts' };

/** Keys of the question about critical findings. No key that chose the start answers it. */
export const criticalCommands: readonly Command[] = [
  {
    id: 'critical.fix',
    context: 'critical',
    keys: ['f', 'o'],
    label: 'fix',
    description: "open the finding's file in $EDITOR; the next start scans again",
    group: 'Arrive',
    inLines: listedBefore,
    footer: 1,
    available: (view) => (pathOf(view) === null ? 'The finding has no file' : true),
    run: (view) => {
      const path = pathOf(view);
      return path === null ? [] : [act({ type: 'overlay-closed' }), terminal({ type: 'open', path })];
    },
  },
  {
    id: 'critical.start',
    context: 'critical',
    keys: ['s'],
    label: 'start anyway',
    description:
      'start despite these findings; your choice is recorded, and they are hidden from now on (a failed scan is always shown)',
    group: 'Arrive',
    inLines: listedBefore,
    footer: 2,
    available: always,
    run: (view) => {
      const overlay = overlayOf(view);
      if (overlay === null) return [];
      return [act({ type: 'overlay-closed' }), perform({ ...overlay.intent, despite: true })];
    },
  },
  {
    id: 'critical.close',
    context: 'critical',
    keys: ['escape', 'q', 'ctrl-c'],
    label: 'do not start',
    description: 'start nothing',
    group: 'Leave',
    inLines: noOverlays,
    footer: 3,
    available: always,
    run: () => [act({ type: 'overlay-closed' })],
  },
];

const overlayOf = (view: ViewState): CriticalOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'critical' ? top : null;
};

const pathOf = (view: ViewState): string | null => {
  const overlay = overlayOf(view);
  return overlay?.findings[overlay.cursor]?.path ?? null;
};
