import { safe } from '../src/base/safe.ts';
import { planRequest } from '../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../src/pipeline/state.ts';
import { selectConfirm } from './confirm/select-confirm.ts';
import { followNeed } from './needs/needs-queue.ts';
import { selectNeeds } from './needs/select-needs.ts';
import type { Overlay } from './overlay.ts';
import { selectQuestion } from './question/select-question.ts';
import type { ViewState } from './view.ts';
import { withUi } from './with-ui.ts';

/**
 * The view with a sentence in place of each dialog whose question is settled: a decision must not outlive its facts. The dialog does not
 * simply close, because the next key was meant for it and not for the panes below. The queue closes once nothing waits.
 */
export const closeStale = (before: ViewState): ViewState => {
  const view = withoutHeld(followNeed(before));
  const { overlays } = view.ui;
  if (overlays.length === 0) return view;
  const reasons = overlays.map((overlay) => settledBy(view, overlay));
  if (reasons.every((reason) => reason === null)) return view;
  return withUi(view, {
    overlays: overlays.map((overlay, index) => {
      const text = reasons[index] ?? null;
      return text === null ? overlay : { kind: 'settled', text: `${text}.` };
    }),
  });
};

/** The view without an answer that is held for a question which is settled, and with a sentence about it: its person believes that it was given. */
const withoutHeld = (view: ViewState): ViewState => {
  const { held } = view.ui;
  if (held === null) return view;
  const isOpen = selectNeeds(view).some((need) => 'request' in need && need.request === held.answer.request);
  if (isOpen) return view;
  const text = `"${held.label}" was not sent: ${held.words} was settled first`;
  return withUi({ ...view, notice: { text, tone: 'bad', stays: true, besideKeys: true } }, { held: null });
};

/** Why the dialog's question is settled, or `null` while it is open. */
const settledBy = (view: ViewState, overlay: Overlay): string | null => {
  const { session } = view;
  switch (overlay.kind) {
    case 'confirm': {
      const question = selectConfirm(view, overlay.subject);
      return typeof question === 'string' ? question : null;
    }
    case 'knowledge':
      return session?.gate?.gate === 'knowledge' ? null : knowledgeDecided(session);
    case 'answer':
    case 'plan-review':
      return selectQuestion(session, overlay.request) === null ? answered(session, overlay.request) : null;
    case 'permission':
      return session?.permissions.has(overlay.request) ? null : 'This request is no longer open';
    default:
      return null;
  }
};

const decisions = {
  approve: 'approved',
  skip: 'skipped',
  carry: 'the lessons were kept for the next iteration',
  abort: 'the session was aborted',
} as const;

const knowledgeDecided = (session: SessionState | null): string => {
  const decision = session?.decision ?? null;
  if (decision === null) return 'The knowledge gate is closed';
  return `The knowledge gate is already closed: ${decisions[decision.decision]}${decision.decision === 'carry' ? ', because' : ' by'} ${safe(decision.by)}`;
};

const answered = (session: SessionState | null, request: string): string => {
  if (request === planRequest) return 'The plan gate is already closed';
  const answer = session?.questions.get(request)?.answer ?? null;
  return answer === null ? 'The question is no longer open' : `Already answered: ${safe(answer)}`;
};
