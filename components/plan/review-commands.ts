import { join } from 'node:path';
import { choiceName } from '../../src/signals/question-kinds.ts';
import { commentsFor } from '../changes/review.ts';
import { act, type Command, type CommandEffect, terminal } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import { answerWith } from '../need-overlay.ts';
import { selectChoices } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';
import { pathOf, reviewBox, reviewPlace, selectPlanReview } from './plan-review.ts';

const answerWithWords: InLines = {
  instead: '`answer REQUEST --option OPTION "WORDS"` decides on a plan; the question names its document',
};

const settled = 'The question is no longer open';

/** Keys of the review of an issue's plan. Each verdict opens the question with that choice, which asks before it is sent. */
export const planReviewCommands: readonly Command[] = [
  verdict('approve', 'a', 'approve the plan (asks first)', 1),
  verdict('minor', 'i', 'approve the plan with your message (asks first)', 2),
  verdict('major', 'r', 'ask for a new plan, with your message (asks first)', 3),
  verdict('reject', 'x', 'reject the plan: its issues then wait for a person (asks first)', 4),
  {
    id: 'plan-review.comment',
    context: 'plan-review',
    keys: ['m', 'enter'],
    label: 'comment',
    description: 'comment on this line of the plan; comments are sent with a verdict that takes a message',
    group: 'Decide',
    inLines: answerWithWords,
    footer: 5,
    available: (view) => (reviewPlace(view) === null ? 'There is no line to comment on' : true),
    run: comment,
  },
  {
    id: 'plan-review.side',
    context: 'plan-review',
    keys: ['tab'],
    label: (view) => (selectPlanReview(view)?.overlay.side === 'plan' ? 'critique' : 'plan'),
    description: "switch between the plan and the validator's critique",
    group: 'Look',
    inLines: answerWithWords,
    footer: 6,
    available: (view) => {
      const review = selectPlanReview(view);
      if (review === null) return settled;
      const { document, critique } = review.question;
      return document !== undefined && critique !== undefined
        ? true
        : 'There is no second document to switch to';
    },
    // One text at a time names the key in its first line.
    offered: (view) => {
      const review = selectPlanReview(view);
      return review !== null && reviewBox(view, review.question).beside;
    },
    run: () => [act({ type: 'review-turned' })],
  },
  {
    id: 'plan-review.edit',
    context: 'plan-review',
    keys: ['o', 'e'],
    label: 'editor',
    description: 'open the text in $EDITOR at this line',
    group: 'Look',
    inLines: answerWithWords,
    footer: 7,
    available: (view) => (pathHere(view) === null ? 'There is no file to open' : true),
    run: (view) => {
      const path = pathHere(view);
      const line = reviewPlace(view)?.line;
      return path === null ? [] : [terminal({ type: 'open', path, ...(line === undefined ? {} : { line }) })];
    },
  },
];

/** The digit is the one that answers in the queue. */
function verdict(option: string, key: string, description: string, digit: number): Command {
  return {
    id: `plan-review.${option}`,
    context: 'plan-review',
    keys: [String(digit), key],
    label: choiceName('plan-review', option),
    description,
    group: 'Decide',
    inLines: answerWithWords,
    footer: digit,
    available: (view) => {
      const review = selectPlanReview(view);
      if (review === null) return settled;
      return optionOf(review.question, option) < 0 ? 'This question has no such answer' : true;
    },
    run: (view) => openVerdict(view, option),
  };
}

const optionOf = (question: Parameters<typeof selectChoices>[0], option: string): number =>
  selectChoices(question).findIndex(({ id }) => id === option);

/** The question over the review with the verdict chosen. */
const openVerdict = (view: ViewState, option: string): readonly CommandEffect[] => {
  const review = selectPlanReview(view);
  if (review === null) return [];
  const { question } = review;
  const overlay = answerWith(view, question.request, optionOf(question, option));
  return [act({ type: 'overlay-opened', overlay })];
};

function comment(view: ViewState): readonly CommandEffect[] {
  const review = selectPlanReview(view);
  const place = reviewPlace(view);
  if (review === null || place === null) return [];
  const { request } = review.question;
  const known = commentsFor(view, request).find(
    ({ file, line }) => file === place.file && line === place.line,
  );
  const editor = createEditor(known?.text ?? '');
  return [
    act({ type: 'overlay-opened', overlay: { kind: 'prompt', what: 'comment', request, ...place, editor } }),
  ];
}

/** The file of the text that has the keys. */
const pathHere = (view: ViewState): string | null => {
  const review = selectPlanReview(view);
  const path = review === null ? null : pathOf(review.question, review.overlay.side);
  return path === null || view.session === null ? null : join(view.session.workspace, path);
};
