import type { ViewState } from './view.ts';

/** The iteration that `R` would start with the feedback that waits for it, or `null`: none waits, or somebody runs the session. */
export const selectFeedback = ({ session, connection, ui }: ViewState): number | null =>
  session !== null &&
  connection === 'stopped' &&
  ui.resumable &&
  session.state === 'COMPLETE' &&
  ui.feedbackFor === session.iteration + 1
    ? ui.feedbackFor
    : null;
