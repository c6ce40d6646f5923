import { isComplete } from '../../src/session/status.ts';
import { count } from '../../src/words/local-time.ts';
import { act, type Command, type CommandEffect } from '../command.ts';
import { composeRetry, retry } from '../compose/compose.ts';
import { retryable } from '../compose/steerable.ts';
import { decideCommands } from '../confirm/decide-commands.ts';
import { selectNeeds } from '../needs/select-needs.ts';
import type { ViewState } from '../view.ts';
import { lessonsWaiting, selectEnd } from './select-end.ts';

/** Keys of the end screen, and the key that opens it again. */
export const endCommands: readonly Command[] = [
  {
    id: 'end.show',
    context: 'main',
    keys: ['E'],
    label: 'how it ended',
    description: 'how the session ended: failures, lessons, next steps',
    group: 'Arrive',
    inLines: { word: 'report' },
    available: (view) => over(view),
    run: () => [act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } })],
  },
  {
    id: 'end.retry',
    context: 'end',
    keys: ['r'],
    label: 'retry',
    description: 'retry the chosen task at once; a session that has ended is resumed for it',
    group: 'Arrive',
    inLines: { word: 'retry' },
    footer: 1,
    available: (view) => failed(view),
    run: (view) => [...choose(view), ...retry(looking(view))],
  },
  {
    id: 'end.retry-with',
    context: 'end',
    keys: ['e'],
    label: 'retry with words',
    description: 'retry the chosen task with a message for its agent, or with another command',
    group: 'Arrive',
    inLines: { word: 'retry' },
    footer: 9,
    available: (view) => failed(view),
    run: (view) => [...choose(view), composeRetry(looking(view))],
  },
  {
    id: 'end.open',
    context: 'end',
    keys: ['enter'],
    label: 'details',
    description: 'details of the chosen task',
    group: 'Arrive',
    inLines: { word: 'tasks' },
    footer: 2,
    available: (view) => (chosen(view) === null ? 'There are no tasks' : true),
    run: (view) => [
      act({ type: 'overlay-closed' }),
      act({ type: 'selected-task', task: chosen(view) }),
      act({ type: 'tab-chosen', tab: 'details' }),
    ],
  },
  {
    id: 'end.review',
    context: 'end',
    keys: ['u'],
    label: 'review',
    description: 'what is waiting for you',
    group: 'Arrive',
    inLines: { word: 'status' },
    footer: 3,
    available: (view) => (selectNeeds(view).length > 0 ? true : 'Nothing is waiting for you'),
    run: (view) => decideCommands.find((command) => command.id === 'decide.open')?.run(view) ?? [],
  },
  {
    id: 'end.later',
    context: 'end',
    keys: ['l'],
    label: 'later',
    description: 'decide on the lessons later: they stay, and you will be asked again',
    group: 'Arrive',
    inLines: {
      instead:
        'lessons are waiting: `quit` leaves them for later, and the screen offers them again next time',
    },
    footer: 6,
    available: (view) => (lessonsWaiting(view) > 0 ? true : 'No lesson is waiting for a decision'),
    run: (view) => [
      act({ type: 'overlay-closed' }),
      act({
        type: 'noticed',
        notice: { text: `Later: ${laterWords(view)}`, tone: 'info', stays: true },
      }),
    ],
  },
];

/** How many lessons stay, and when the screen asks about them again. */
const laterWords = (view: ViewState): string => {
  const again =
    view.connection === 'stopped'
      ? 'resume with {session.resume} to be asked again'
      : '{decide.open} shows them, even after a restart';
  return `${count(lessonsWaiting(view), 'lesson stays', 'lessons stay')}; ${again}`;
};

const over = (view: ViewState): true | string => {
  if (view.session === null) return 'There is no session yet';
  if (lessonsWaiting(view) > 0) return true;
  return isComplete(view.session) || view.connection === 'stopped' ? true : 'The session has not ended';
};

/** Whether the chosen task can be retried: `true`, or why not. */
const failed = (view: ViewState): true | string => {
  const didFail = selectEnd(view)?.failures.has(chosen(view) ?? '') === true;
  return didFail ? retryable(looking(view)) : 'This task did not fail';
};

const choose = (view: ViewState): readonly CommandEffect[] => [
  act({ type: 'selected-task', task: chosen(view) }),
];

/** The view with the chosen task selected in the panes. */
const looking = (view: ViewState): ViewState => ({
  ...view,
  ui: { ...view.ui, selected: { ...view.ui.selected, tasks: chosen(view) } },
});

const chosen = (view: ViewState): string | null => {
  const overlay = view.ui.overlays.at(-1);
  if (overlay?.kind !== 'end') return null;
  return selectEnd(view)?.tasks[overlay.cursor]?.id ?? null;
};
