import { formOf } from '../../src/session/form-subject.ts';
import { act, always, type Command, type CommandEffect, closeOverlay, perform } from '../command.ts';
import { anotherSession, type InLines, noOverlays } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import { type FormOverlay, type FormTurn, formEnd, formLow, formProblem, formQuestion } from './form-view.ts';

const lineByLine: InLines = {
  instead: '`ralph-tui guidance` and `ralph-tui init` ask line by line with --screen-reader',
};

const contexts = ['form', 'form-words'] as const;

/** Keys that open the forms for guidance and for the configuration, and their own. */
export const formCommands: readonly Command[] = [
  ...(['main', 'start'] as const).map(
    (context): Command => ({
      id: context === 'main' ? 'guidance.open' : 'start.guidance',
      context,
      keys: ['ctrl-g'],
      label: 'guidance',
      description: 'set what agents should avoid and prefer here; scans for risks first',
      group: 'Decide',
      inLines: { instead: '`ralph-tui guidance --screen-reader` asks the same questions line by line' },
      ...(context === 'start' ? { footer: 3 } : {}),
      available: (view) =>
        view.connection === 'replay' ? 'This is a replay: nothing can be decided here' : true,
      run: () => [perform({ type: 'guide' })],
    }),
  ),
  {
    id: 'start.setup',
    context: 'start',
    keys: ['ctrl-t'],
    label: 'set up',
    description: 'an agent per role, permissions and checks for this repository; saved in .ralph/config.yaml',
    group: 'Arrive',
    inLines: anotherSession,
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
      label: (view) => nextWord(view),
      description: 'accept the answer (empty: skip the step); on the last step, save',
      group: 'Decide',
      inLines: lineByLine,
      footer: 1,
      available: (view) => {
        const overlay = overlayOf(view);
        return (overlay && formProblem(overlay)) ?? true;
      },
      run: (view) => next(view),
    }),
  ),
  {
    id: 'form.toggle',
    context: 'form',
    keys: ['space'],
    label: 'select',
    description: 'select or deselect the item',
    group: 'Decide',
    inLines: lineByLine,
    footer: 2,
    available: (view) => (kindOf(view) === 'choices' ? true : '{form.next} chooses here'),
    run: () => [turn('toggle')],
  },
  {
    id: 'form.low',
    context: 'form',
    keys: ['l'],
    label: (view) => lowWord(view),
    description: 'show or hide low-severity findings',
    group: 'Decide',
    inLines: lineByLine,
    footer: 4,
    available: (view) => (lowOf(view).count > 0 ? true : 'There are no low-severity findings'),
    run: () => [turn('fold')],
  },
  {
    id: 'form.skip',
    context: 'form',
    keys: ['s'],
    label: 'skip',
    description: 'skip the step; its stored values stay unchanged',
    group: 'Decide',
    inLines: lineByLine,
    footer: 5,
    available: (view) => {
      const overlay = overlayOf(view);
      const question = overlay === null ? null : formQuestion(overlay);
      return question?.optional ? true : 'There is nothing to skip here';
    },
    run: () => [turn('skip')],
  },
  ...contexts.map(
    (context): Command => ({
      id: `${context}.back`,
      context,
      keys: context === 'form' ? ['shift-tab', 'left', 'backspace'] : ['shift-tab'],
      label: 'back',
      description: 'back to the previous step',
      group: 'Decide',
      inLines: lineByLine,
      footer: 6,
      available: (view) => (overlayOf(view)?.step === 0 ? 'This is the first step' : true),
      run: () => [turn('back')],
    }),
  ),
  ...contexts.map(
    (context): Command => ({
      id: `${context}.close`,
      context,
      keys: ['escape', 'ctrl-c'],
      label: (view) => verbsOf(view)?.leave ?? 'leave',
      description: 'leave without saving',
      group: 'Leave',
      inLines: noOverlays,
      footer: 3,
      available: always,
      run: (view) => closeOverlay(view),
    }),
  ),
];

const overlayOf = (view: ViewState): FormOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'form' ? top : null;
};

const verbsOf = (view: ViewState) => {
  const overlay = overlayOf(view);
  return overlay === null ? null : formOf(overlay.subject).verbs;
};

const kindOf = (view: ViewState) => {
  const overlay = overlayOf(view);
  return overlay === null ? undefined : formQuestion(overlay)?.kind;
};

const lowOf = (view: ViewState): ReturnType<typeof formLow> => {
  const overlay = overlayOf(view);
  return overlay === null ? { count: 0, isFolded: true } : formLow(overlay);
};

const lowWord = (view: ViewState): string => {
  const { count, isFolded } = lowOf(view);
  return isFolded ? `show ${count} low` : 'fold low';
};

const turn = (by: FormTurn): CommandEffect => act({ type: 'form-turned', turn: by });

const next = (view: ViewState): readonly CommandEffect[] => {
  const overlay = overlayOf(view);
  const answers = overlay === null ? null : formEnd(overlay);
  return overlay === null || answers === null
    ? [turn('next')]
    : [perform({ type: 'filled-in', form: overlay.subject, answers })];
};

const nextWord = (view: ViewState): string => {
  switch (kindOf(view)) {
    case undefined:
      return verbsOf(view)?.confirm ?? 'next';
    case 'words':
      return overlayOf(view)?.editor.text.trim() === '' ? 'skip' : 'next';
    case 'choice':
      return 'choose';
    default:
      return 'next';
  }
};
