import {
  foldedOf,
  isWordsStep,
  stepsOf,
  type WizardOverlay,
  type WizardTurn,
  wizardEnd,
} from '../../store/overlays/wizard.ts';
import type { ViewState } from '../../store/view.ts';
import { act, always, type Command, type CommandEffect, closeOverlay, perform } from '../command.ts';

/** Keys that open the wizard for guidance, and its own. */
export const wizardCommands: readonly Command[] = [
  ...(['main', 'start'] as const).map(
    (context): Command => ({
      id: context === 'main' ? 'guidance.open' : 'start.guidance',
      context,
      keys: ['ctrl-g'],
      label: 'guidance',
      description: 'what agents avoid and prefer here; looks for what could go wrong first',
      group: 'Decide',
      ...(context === 'start' ? { footer: 3 } : {}),
      available: (view) =>
        view.connection === 'replay' ? 'This is a replay: nothing is decided here' : true,
      run: () => [perform({ type: 'guide' })],
    }),
  ),
  ...(['wizard', 'wizard-words'] as const).map(
    (context): Command => ({
      id: `${context}.next`,
      context,
      keys: ['enter'],
      label: (view) => nextWord(view),
      description: 'take the answer; an empty one keeps the stored one; at the end: save',
      group: 'Decide',
      footer: 1,
      available: always,
      run: (view) => next(view),
    }),
  ),
  {
    id: 'wizard.toggle',
    context: 'wizard',
    keys: ['space'],
    label: 'select',
    description: 'select or deselect the item',
    group: 'Decide',
    footer: 2,
    available: (view) => (hasOptions(view) ? true : '{wizard.next} chooses here'),
    run: () => [turn('toggle')],
  },
  {
    id: 'wizard.low',
    context: 'wizard',
    keys: ['l'],
    label: (view) => lowWord(view),
    description: 'show or fold findings of low severity',
    group: 'Decide',
    footer: 4,
    available: (view) => (hasLow(view) ? true : 'There is no finding of low severity'),
    run: () => [turn('low')],
  },
  {
    id: 'wizard.skip',
    context: 'wizard',
    keys: ['s'],
    label: 'skip',
    description: 'skip the step: its part stays as it is stored',
    group: 'Decide',
    footer: 5,
    available: (view) =>
      hasOptions(view) || overlayOf(view)?.step === 'preset' ? true : 'There is nothing to skip here',
    run: () => [turn('skip')],
  },
  ...(['wizard', 'wizard-words'] as const).map(
    (context): Command => ({
      id: `${context}.back`,
      context,
      keys: context === 'wizard' ? ['shift-tab', 'left', 'backspace'] : ['shift-tab'],
      label: 'back',
      description: 'back to the step before',
      group: 'Decide',
      footer: 6,
      available: (view) => (isFirst(view) ? 'This is the first step' : true),
      run: () => [turn('back')],
    }),
  ),
  ...(['wizard', 'wizard-words'] as const).map(
    (context): Command => ({
      id: `${context}.close`,
      context,
      keys: ['escape', 'ctrl-c'],
      label: (view) => (overlayOf(view)?.offers.loop ? 'start nothing' : 'change nothing'),
      description: 'leave; the guidance stays as it was',
      group: 'Leave',
      footer: 3,
      available: always,
      run: (view) => closeOverlay(view),
    }),
  ),
];

const overlayOf = (view: ViewState): WizardOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'wizard' ? top : null;
};

const turn = (by: WizardTurn): CommandEffect => act({ type: 'wizard-turned', turn: by });

const next = (view: ViewState): readonly CommandEffect[] => {
  const overlay = overlayOf(view);
  const end = overlay === null ? null : wizardEnd(overlay);
  return end === null ? [turn('next')] : [perform({ type: 'guided', end })];
};

const nextWord = (view: ViewState): string => {
  const overlay = overlayOf(view);
  if (overlay === null) return 'next';
  if (overlay.step === 'result') return 'save';
  if (isWordsStep(overlay.step)) return overlay.editor.text.trim() === '' ? 'skip' : 'next';
  return hasOptions(view) ? 'next' : 'choose';
};

const isFirst = (view: ViewState): boolean => {
  const overlay = overlayOf(view);
  return overlay !== null && stepsOf(overlay.offers)[0] === overlay.step;
};

const hasOptions = (view: ViewState): boolean => {
  const step = overlayOf(view)?.step;
  return step === 'avoid' || step === 'prefer';
};

const hasLow = (view: ViewState): boolean => {
  const overlay = overlayOf(view);
  return overlay?.step === 'avoid' && overlay.offers.avoid.some(({ severity }) => severity === 'low');
};

const lowWord = (view: ViewState): string => {
  const overlay = overlayOf(view);
  return overlay !== null && foldedOf(overlay) > 0 ? `show ${foldedOf(overlay)} low` : 'fold low';
};
