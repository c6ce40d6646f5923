import { planRequest } from '../../pipeline/questions/open-questions.ts';
import type { KnowledgeOverlay, Overlay } from '../overlay.ts';
import type { Need } from '../signals/select-needs.ts';
import { selectQuestion } from '../signals/select-question.ts';
import { createEditor } from '../text/line-editor.ts';
import type { ViewState } from '../view.ts';
import { planGate } from './plan-gate.ts';

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
      return {
        kind: 'answer',
        request: need.request,
        cursor: 0,
        editor: createEditor(view.ui.drafts[need.request] ?? ''),
      };
  }
};

/** The knowledge gate, with a decision already asked about. */
export const choosesLessons = (asking: KnowledgeOverlay['asking']): KnowledgeOverlay => ({
  kind: 'knowledge',
  cursor: 0,
  chosen: [],
  top: 0,
  asking,
  editor: createEditor(),
});
