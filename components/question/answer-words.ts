import { planRequest } from '../../src/pipeline/questions/open-questions.ts';
import { createEditor, type Editor } from '../keys/line-editor.ts';
import type { AnswerOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { namedChoice, questionRule, selectChoices, selectQuestion, takesText } from './select-question.ts';

/** The words and comments that were written for a question and not sent yet. */
export const wordsFor = ({ ui }: Pick<ViewState, 'ui'>, request: string): string => ui.drafts[request] ?? '';

/** The field with a choice: one that takes words has those that were written, another one none. */
export const fieldAt = (view: ViewState, request: string, cursor: number): Editor =>
  createEditor(takesAt(view, request, cursor) ? wordsFor(view, request) : '');

const takesAt = ({ session }: ViewState, request: string, cursor: number): boolean =>
  selectChoices(selectQuestion(session, request))[cursor]?.words !== undefined;

/** Keeps what is in the field of the question on top. Only the plan gate has drafts of its own, one a task. */
export const keepWords = (view: ViewState): ViewState => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind !== 'answer' || top.request === planRequest) return view;
  const words = writtenIn(view, top);
  return words === wordsFor(view, top.request)
    ? view
    : withUi(view, { drafts: { ...view.ui.drafts, [top.request]: words } });
};

/** What is kept of an open question. Beside a choice without words the field does not show what is kept: what is typed there is more of it. */
export const writtenIn = (view: ViewState, { request, cursor, editor }: AnswerOverlay): string => {
  const kept = wordsFor(view, request);
  const question = selectQuestion(view.session, request);
  const typed = editor.text.trim();
  const isName = namedChoice(question, typed) !== undefined;
  if (takesAt(view, request, cursor)) return isName ? '' : editor.text;
  if (typed === '' || isName || !takesText(question)) return kept;
  return questionRule(question)?.takesWords === true || kept === '' ? editor.text : `${kept}\n${editor.text}`;
};

/** The view with another choice: the words stay with the choices that take them. */
export const withChoice = (view: ViewState, cursor: number): ViewState => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind !== 'answer' || top.cursor === cursor) return view;
  const kept = keepWords(view);
  const rule = questionRule(selectQuestion(view.session, top.request));
  const isOneField = top.request === planRequest || rule?.takesWords !== false;
  const field = isOneField ? top.editor : fieldAt(kept, top.request, cursor);
  const editor = field.text === top.editor.text ? top.editor : field;
  return withUi(kept, { overlays: [...kept.ui.overlays.slice(0, -1), { ...top, cursor, editor }] });
};
