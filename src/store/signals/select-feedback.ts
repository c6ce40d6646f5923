import { isComplete } from '../../session/status.ts';
import type { ViewState } from '../view.ts';

/** The iteration that `R` would start with the waiting feedback. `null`: no feedback waits, or the session has a host. */
export const selectFeedback = ({ session, connection, ui }: ViewState): number | null =>
  session !== null &&
  connection === 'stopped' &&
  ui.resumable &&
  isComplete(session) &&
  ui.feedbackFor === session.iteration + 1
    ? ui.feedbackFor
    : null;
