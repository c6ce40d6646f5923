import { isComplete } from '../../src/session/status.ts';
import type { ViewState } from '../view.ts';

/** The iteration that `R` would start with the waiting feedback. `null`: none waits, it needs another agent, or the session has a host. */
export const selectFeedback = (view: ViewState): number | null =>
  view.ui.feedbackNeedsAgent ? null : waitingFor(view);

/** Whether feedback waits that the session's agents cannot work on. */
export const feedbackNeedsAgent = (view: ViewState): boolean =>
  view.ui.feedbackNeedsAgent && waitingFor(view) !== null;

const waitingFor = ({ session, connection, ui }: ViewState): number | null =>
  session !== null &&
  connection === 'stopped' &&
  ui.resumable &&
  isComplete(session) &&
  ui.feedbackFor === session.iteration + 1
    ? ui.feedbackFor
    : null;
