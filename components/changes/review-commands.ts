import { act, type Command, type CommandEffect } from '../command.ts';
import { createEditor } from '../keys/line-editor.ts';
import { answerWith } from '../need-overlay.ts';
import type { Overlay } from '../overlay.ts';
import { selectChoices, selectQuestion } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';
import { inChanges } from './commands.ts';
import { selectCommentPlace } from './comment-place.ts';
import { commentsFor, draftWith, selectReview } from './review.ts';

/** Keys of a review by a person in the Changes tab. */
export const reviewCommands: readonly Command[] = [
  {
    id: 'review.comment',
    context: 'main',
    keys: ['m'],
    label: 'comment',
    description: 'in Changes: comment on the line, as part of your review (`review: person`)',
    group: 'Decide',
    inLines: { word: 'review' },
    available: (view) => {
      if (!inChanges(view)) return 'Comments belong to lines in Changes: {look.changes} shows them';
      const review = selectReview(view);
      if (typeof review === 'string') return review;
      return selectCommentPlace(view) === null ? 'Go to a line in the diff first: {changes.next-file}' : true;
    },
    run: (view) => openComment(view),
  },
  verdictCommand('y', 'accept'),
  verdictCommand('Y', 'reject'),
];

function verdictCommand(key: string, verdict: 'accept' | 'reject'): Command {
  return {
    id: `review.${verdict}`,
    context: 'main',
    keys: [key],
    label: verdict,
    description:
      verdict === 'accept'
        ? 'accept the task waiting for your review (asks first)'
        : 'reject the task waiting for your review, with your comments (asks first)',
    group: 'Decide',
    inLines: { word: 'review' },
    available: (view) => {
      const review = selectReview(view);
      return typeof review === 'string' ? review : true;
    },
    run: (view) => openVerdict(view, verdict),
  };
}

const openComment = (view: ViewState): readonly CommandEffect[] => {
  const review = selectReview(view);
  const place = selectCommentPlace(view);
  if (typeof review === 'string' || place === null) return [];
  const { request } = review;
  const known = commentsFor(view, request).find(
    ({ file, line }) => file === place.file && line === place.line,
  );
  const editor = createEditor(known?.text ?? '');
  return [
    act({ type: 'overlay-opened', overlay: { kind: 'prompt', what: 'comment', request, ...place, editor } }),
  ];
};

/** The question with the verdict chosen. A rejection begins with the comments as its words. */
const openVerdict = (view: ViewState, verdict: 'accept' | 'reject'): readonly CommandEffect[] => {
  const review = selectReview(view);
  if (typeof review === 'string') return [];
  const { request } = review;
  const choices = selectChoices(selectQuestion(view.session, request));
  const at = choices.findIndex(({ id }) => id === verdict);
  return [
    ...(inChanges(view) ? [] : [act({ type: 'tab-chosen', tab: 'changes' })]),
    act({
      type: 'overlay-opened',
      overlay: answerWith(view, request, Math.max(0, at)),
    }),
  ];
};

/** Keeps the typed comment; without text takes it away. */
export const keepComment = (
  view: ViewState,
  { request, file, line, editor }: Extract<Overlay, { kind: 'prompt'; what: 'comment' }>,
): CommandEffect => {
  const text = draftWith(view, request, { file, line, text: editor.text });
  return act({ type: 'drafted', what: request, text });
};
