import { isComplete } from '../../session/status.ts';
import { selectFeedback } from '../../store/signals/select-feedback.ts';
import { selectSignals } from '../../store/signals/select-signals.ts';
import type { ViewState } from '../../store/view.ts';
import { type Command, perform } from '../command.ts';

/** Keys that resume a session or start one: nothing that costs anything starts without one of them. */
export const resumeCommands: readonly Command[] = (['main', 'end'] as const).flatMap((context) => [
  {
    id: context === 'main' ? 'arrive.resume' : 'end.resume',
    context,
    keys: ['R'],
    label: 'resume',
    description: 'resume a session that no process runs; at its end: for a retry or feedback',
    group: 'Arrive',
    footer: context === 'main' ? 1 : 4,
    available: (view) => resumable(view),
    offered: (view) => mayGoOn(view),
    run: () => [perform({ type: 'resume' })],
  },
]);

const resumable = (view: ViewState): true | string => {
  const { session, connection, opening, ui } = view;
  if (session === null) return 'There is no session yet';
  if (connection === 'replay') return 'This is a replay: there is nothing to resume';
  if (opening) return 'The session is being resumed';
  if (connection !== 'stopped') return 'The session runs';
  return ui.resumable ? true : 'This session was laid out by another program and can only be read';
};

/** A complete session continues only with unread signals (such as a RETRY), or with feedback, which comes from outside. */
const mayGoOn = (view: ViewState): boolean =>
  !view.session ||
  !isComplete(view.session) ||
  view.session.running ||
  selectFeedback(view) !== null ||
  selectSignals(view).inbox.length > 0;
