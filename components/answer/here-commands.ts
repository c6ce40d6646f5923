import { act, always, type Command, type CommandEffect, perform } from '../command.ts';
import { publish } from '../compose/steerable.ts';
import { answerByRequest } from '../in-lines.ts';
import { choiceNames } from '../keys/choice-names.ts';
import { needOverlay } from '../need-overlay.ts';
import { selectNeeds } from '../needs/select-needs.ts';
import type { ViewState } from '../view.ts';
import { hereCommand, selectAskedHere } from './asked-here.ts';

/** The digits over the panes while the now line asks: they answer what it shows. What it cannot show whole is opened first. */
export const hereCommands: readonly Command[] = [
  ...choiceNames.map(
    (_, index): Command => ({
      id: hereCommand(index),
      context: 'here',
      keys: [String(index + 1)],
      label: (view) => choiceOf(view, index)?.label ?? 'open',
      description:
        index === 0
          ? 'answer what the line below the header asks, or open it where that line cannot show it whole'
          : `give answer ${index + 1} to what the line below the header asks`,
      group: 'Decide',
      inLines: answerByRequest,
      only: (view) => answersHere(view, index),
      available: always,
      run: (view) => answerHere(view, index),
    }),
  ),
  {
    id: 'here.take-back',
    context: 'here',
    keys: ['escape'],
    label: 'take back',
    description: 'take back an answer given over the panes, within 5 seconds',
    group: 'Decide',
    inLines: answerByRequest,
    only: ({ ui }) => ui.held !== null,
    available: always,
    run: ({ ui }) => [
      act({ type: 'answer-held', held: null }),
      act({
        type: 'noticed',
        notice: { text: `Taken back: "${ui.held?.label ?? ''}" was not sent`, tone: 'info' },
      }),
    ],
  },
];

/** Whether this digit answers over the panes, and is no key of a tab. */
export const answersHere = (view: ViewState, index: number): boolean => {
  const asked = selectAskedHere(view);
  if (asked === null) return false;
  return asked.choices.length === 0 ? index === 0 : asked.choices.some((choice) => choice.index === index);
};

/** Sends the answer that is held, unless its question was settled meanwhile. */
export const sendHeld = (view: ViewState): readonly CommandEffect[] => {
  const { held } = view.ui;
  if (held === null) return [];
  const { answer } = held;
  const isOpen = selectNeeds(view).some((need) => 'request' in need && need.request === answer.request);
  const sent: readonly CommandEffect[] = !isOpen
    ? []
    : answer.kind === 'permit'
      ? [perform({ type: 'permit', request: answer.request, decision: answer.decision })]
      : [
          perform(
            publish(view, { type: 'ANSWER', target: 'ALL', request: answer.request, option: answer.option }),
          ),
        ];
  return [act({ type: 'answer-held', held: null }), ...sent];
};

/** What leaves this screen sends the answer that it holds first. */
export const heldFirst = (view: ViewState, effects: readonly CommandEffect[]): readonly CommandEffect[] =>
  effects.some((effect) => effect.kind === 'perform' && effect.intent.type === 'quit')
    ? [...sendHeld(view), ...effects]
    : effects;

const choiceOf = (view: ViewState, index: number) =>
  selectAskedHere(view)?.choices.find((choice) => choice.index === index);

const answerHere = (view: ViewState, index: number): readonly CommandEffect[] => {
  const asked = selectAskedHere(view);
  const choice = choiceOf(view, index);
  if (asked === null) return [];
  if (choice === undefined) return [act({ type: 'overlay-opened', overlay: needOverlay(asked.need, view) })];
  const { held } = view.ui;
  // The same digit again: it was meant.
  if (held?.answer.request === choice.answer.request && held.index === index) return sendHeld(view);
  return [
    act({
      type: 'answer-held',
      held: { index, label: choice.label, words: asked.words, answer: choice.answer },
    }),
  ];
};
