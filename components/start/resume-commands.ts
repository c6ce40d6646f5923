import { waitingTimers } from '../../src/pipeline/waiting-timers.ts';
import { isComplete } from '../../src/session/status.ts';
import { selectFeedback } from '../answer/select-feedback.ts';
import { type Command, perform } from '../command.ts';
import { publish, resumable, steerable } from '../compose/steerable.ts';
import { endedWords } from '../frame/ended-words.ts';
import { selectSignals } from '../mailbox/select-signals.ts';
import type { ViewState } from '../view.ts';

/** Keys that resume a session or start one: nothing that costs anything starts without one of them. */
export const resumeCommands: readonly Command[] = (['main', 'end'] as const).flatMap((context) => [
  {
    id: context === 'main' ? 'session.resume' : 'end.resume',
    context,
    keys: ['R'],
    label: (view) => (waitsForTime(view) ? 'try now' : 'resume'),
    description: 'resume a stopped session; end a wait and try now',
    group: 'Arrive',
    inLines: { word: 'resume' },
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
