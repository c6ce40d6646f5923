import { planRequest } from '../src/pipeline/questions/open-questions.ts';
import { createEditor } from './keys/line-editor.ts';
import type { Need } from './needs/select-needs.ts';
import type { KnowledgeOverlay, Overlay } from './overlay.ts';
import { planGate } from './plan/plan-gate.ts';
import { fieldAt, wordsFor } from './question/answer-words.ts';
import { selectChoices, selectQuestion } from './question/select-question.ts';
import type { ViewState } from './view.ts';

/** The overlay that settles the item, with the comments that were written for it. */
export const needOverlay = (need: Need, view: ViewState): Overlay => {
  switch (need.kind) {
    case 'knowledge':
      return choosesLessons(null);
    case 'permission':
      return { kind: 'permission', request: need.request, top: 0 };
    case 'issue':
      return { kind: 'move-issue', issue: need.issue, cursor: 0 };
    case 'unproven':
      return { kind: 'signal', id: need.id, top: 0 };
    case 'question':
      if (need.request === planRequest) return planGate(view);
      if (selectQuestion(view.session, need.request)?.document !== undefined)
        return { kind: 'plan-review', request: need.request, cursor: 0, side: 'plan' };
      return withWords(view, need.request);
  }
};

/** The question with what was written for it: at the choice that sends it. */
const withWords = (view: ViewState, request: string): Overlay => {
  const question = selectQuestion(view.session, request);
  const editor = createEditor(wordsFor(view, request));
  const taker = selectChoices(question).findIndex(({ words }) => words !== undefined);
  return { kind: 'answer', request, cursor: editor.text === '' ? 0 : Math.max(0, taker), editor };
};

/** Where the question's choice gets its words, or is seen with all that it decides on: at the plan, or above its document. */
export const chooses = (
  need: Extract<Need, { kind: 'question' }>,
  view: ViewState,
  cursor: number,
): readonly Overlay[] => {
  if (need.request === planRequest) return [planGate(view, cursor)];
  const opened = needOverlay(need, view);
  const chosen = answerWith(view, need.request, cursor);
  if (opened.kind === 'answer') return [chosen];
  // A plan is read before it is approved: its own keys decide. One with comments was read.
  const { words } = selectChoices(selectQuestion(view.session, need.request))[cursor] ?? {};
  return words === 'must' || wordsFor(view, need.request) !== '' ? [opened, chosen] : [opened];
};

/** The question with a choice. One that takes words begins with the comments that were written for it. */
export const answerWith = (view: ViewState, request: string, cursor: number): Overlay => ({
  kind: 'answer',
  request,
  cursor,
  editor: fieldAt(view, request, cursor),
});

/** The knowledge gate, with a decision already asked about. */
export const choosesLessons = (asking: KnowledgeOverlay['asking']): KnowledgeOverlay => ({
  kind: 'knowledge',
  cursor: 0,
  chosen: [],
  top: 0,
  asking,
  editor: createEditor(),
});
