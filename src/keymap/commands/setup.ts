import { type SetupOverlay, setupProblem, setupQuestion } from '../../store/overlays/setup.ts';
import type { ViewState } from '../../store/view.ts';
import { act, always, type Command, closeOverlay, perform } from '../command.ts';

const contexts = ['setup', 'setup-words'] as const;

/** Keys of the questions of `init`, and the one that opens them on the start screen. */
export const setupCommands: readonly Command[] = [
  {
    id: 'start.setup',
    context: 'start',
    keys: ['ctrl-t'],
    label: 'set up',
    description: 'agents by role, permissions and checks of this repository, kept in .ralph/config.yaml',
    group: 'Arrive',
    footer: 4,
    offered: (view) => {
      const top = view.ui.overlays.at(-1);
      return top?.kind === 'start' && top.offers.setup === true;
    },
    available: always,
    run: () => [perform({ type: 'set-up' })],
  },
  ...contexts.map(
    (context): Command => ({
      id: `${context}.next`,
      context,
      keys: ['enter'],
      label: (view) => (isLast(view) ? 'write' : 'next'),
      description: 'take the answer; at the end: write the configuration',
      group: 'Arrive',
      footer: 1,
      available: (view) => {
        const overlay = overlayOf(view);
        return (overlay && setupProblem(overlay)) ?? true;
      },
      run: (view) => {
        const overlay = overlayOf(view);
        return overlay !== null && isLast(view)
          ? [perform({ type: 'set-up-with', answers: overlay.answers })]
          : [act({ type: 'setup-turned', by: 1 })];
      },
    }),
  ),
  ...contexts.map(
    (context): Command => ({
      id: `${context}.back`,
      context,
      keys: context === 'setup' ? ['shift-tab', 'left', 'backspace'] : ['shift-tab'],
      label: 'back',
      description: 'back to the question before',
      group: 'Arrive',
      footer: 2,
      available: (view) => (overlayOf(view)?.step === 0 ? 'This is the first question' : true),
      run: () => [act({ type: 'setup-turned', by: -1 })],
    }),
  ),
  ...contexts.map(
    (context): Command => ({
      id: `${context}.close`,
      context,
      keys: ['escape', 'ctrl-c'],
      label: 'write nothing',
      description: 'leave; nothing is written',
      group: 'Leave',
      footer: 3,
      available: always,
      run: (view) => closeOverlay(view),
    }),
  ),
];

const overlayOf = (view: ViewState): SetupOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'setup' ? top : null;
};

const isLast = (view: ViewState): boolean => {
  const overlay = overlayOf(view);
  return overlay !== null && setupQuestion(overlay) === null;
};
