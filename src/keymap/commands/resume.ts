import { waitingTimers } from '../../pipeline/waiting-timers.ts';
import { isComplete } from '../../session/status.ts';
import { endedWords } from '../../store/session/ended-words.ts';
import { selectFeedback } from '../../store/signals/select-feedback.ts';
import { selectSignals } from '../../store/signals/select-signals.ts';
import { publish, resumable, steerable } from '../../store/signals/steerable.ts';
import type { ViewState } from '../../store/view.ts';
import { type Command, perform } from '../command.ts';

/** Keys that resume a session or start one: nothing that costs anything starts without one of them. */
export const resumeCommands: readonly Command[] = (['main', 'end'] as const).flatMap((context) => [
  {
    id: context === 'main' ? 'session.resume' : 'end.resume',
    context,
    keys: ['R'],
    label: (view) => (waitsForTime(view) ? 'try now' : 'resume'),
    description: 'resume a stopped session; end a wait and try now',
    group: 'Arrive',
    footer: context === 'main' ? 1 : 4,
    available: (view) => waitsForTime(view) || resumable(view),
    offered: (view) => mayGoOn(view),
    run: (view) => [
      perform(waitsForTime(view) ? publish(view, { type: 'RESUME', target: 'ALL' }) : { type: 'resume' }),
    ],
  },
]);

/** A used-up quota, or a failed call: the session continues by itself, and a person may not want to wait. */
const waitsForTime = (view: ViewState): boolean =>
  steerable(view) === true &&
  view.session !== null &&
  view.session.hold === null &&
  waitingTimers(view.session).length > 0;

/** A complete session continues only with unread signals (such as a RETRY), or with feedback. Both come from outside, and the key looks for them again. */
const mayGoOn = (view: ViewState): true | string =>
  !view.session ||
  !isComplete(view.session) ||
  view.session.running ||
  selectFeedback(view) !== null ||
  selectSignals(view).inbox.length > 0 ||
  endedWords(view, view.session);
