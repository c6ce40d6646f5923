import {
  answerProblem,
  offeredAnswer,
  type SetupAnswers,
  type SetupItem,
  type SetupOffers,
  type SetupQuestion,
  setupQuestions,
} from '../../session/setup/questions.ts';
import { setupLines } from '../../session/setup/setup-config.ts';
import { wrap } from '../../words/width.ts';
import { createEditor, type Editor } from '../text/line-editor.ts';

/** The questions of `init` over the panes, one step at a time. The last step shows what will be written. */
export interface SetupOverlay {
  readonly kind: 'setup';
  readonly offers: SetupOffers;
  readonly answers: SetupAnswers;
  /** Index into the questions; their number is the last step. */
  readonly step: number;
  /** The item under the cursor; in the last step the first line shown. */
  readonly cursor: number;
  /** The field of the steps for words. */
  readonly editor: Editor;
}

/** The overlay at its first question. `answers` holds what was answered before, as flags. */
export const openSetup = (offers: SetupOffers, answers: SetupAnswers = {}): SetupOverlay =>
  atStep({ kind: 'setup', offers, answers, step: 0, cursor: 0, editor: createEditor() }, 0);

/** The question of the present step, or `null` at the last one. */
export const setupQuestion = ({ offers, answers, step }: SetupOverlay): SetupQuestion | null =>
  setupQuestions(offers, answers)[step] ?? null;

/** Whether text typed now goes into the field. */
export const isSetupWords = (overlay: SetupOverlay): boolean => setupQuestion(overlay)?.items.length === 0;

/** The items of the present step. */
export const setupItems = (overlay: SetupOverlay): readonly SetupItem[] =>
  setupQuestion(overlay)?.items ?? [];

/** Why Enter does not lead on, or `null`. */
export const setupProblem = (overlay: SetupOverlay): string | null => {
  const question = setupQuestion(overlay);
  return question === null ? null : answerProblem(question.id, answerHere(overlay, question));
};

/** The overlay one step on or back, with the answer of the present one. */
export const turnSetup = (overlay: SetupOverlay, by: 1 | -1): SetupOverlay => {
  const question = setupQuestion(overlay);
  const answers =
    question === null
      ? overlay.answers
      : { ...overlay.answers, [question.id]: answerHere(overlay, question) };
  return atStep({ ...overlay, answers }, overlay.step + by);
};

/** `Step 2 of 6` */
export const setupPlace = ({ offers, answers, step }: SetupOverlay): string =>
  `Step ${step + 1} of ${setupQuestions(offers, answers).length + 1}`;

/** What will be written, for the last step. */
export const setupSummary = ({ offers, answers }: SetupOverlay, width: number): readonly string[] =>
  setupLines(offers, answers).flatMap((line) => wrap(line, width));

/** How far the cursor of the present step moves. */
export const setupLength = (overlay: SetupOverlay): number => setupItems(overlay).length;

const answerHere = ({ cursor, editor }: SetupOverlay, { items }: SetupQuestion): string =>
  items.length === 0 ? editor.text.trim() : (items[cursor]?.id ?? '');

const atStep = (overlay: SetupOverlay, step: number): SetupOverlay => {
  const questions = setupQuestions(overlay.offers, overlay.answers);
  const to = Math.max(0, Math.min(step, questions.length));
  const question = questions[to];
  if (question === undefined) return { ...overlay, step: to, cursor: 0, editor: createEditor() };
  const answer = overlay.answers[question.id] ?? offeredAnswer(question.id, overlay.offers, overlay.answers);
  const cursor = question.items.findIndex(({ id }) => id === answer);
  return {
    ...overlay,
    step: to,
    cursor: Math.max(0, cursor),
    editor: createEditor(question.items.length === 0 ? answer : ''),
  };
};
