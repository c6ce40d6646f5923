import type { SessionState } from '../../src/pipeline/state.ts';
import { act, type Command, type CommandEffect, perform } from '../command.ts';
import { selectOrders } from '../details/select-orders.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { ConfirmSubject } from '../overlay.ts';
import { focusedPane } from '../panes.ts';
import type { Intent } from '../ports/intent.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { compose, composeNow, retry } from './compose.ts';
import {
  abortable,
  cancellable,
  chosenSignal,
  drainable,
  executors,
  interruptible,
  publish,
  replaceable,
  retryable,
  scalable,
  steerable,
  withdrawable,
  workerOnTask,
} from './steerable.ts';

/** Keys that steer the run. Each one publishes a signal file. */
export const steerCommands: readonly Command[] = [
  {
    id: 'steer.pause',
    context: 'main',
    keys: ['p'],
    label: (view) => pauseVerb(view),
    description: 'pause, cancel the pause, or resume',
    group: 'Steer',
    inLines: { word: 'pause' },
    footer: 1,
    available: (view) => steerable(view),
    run: (view) => [perform(pauseIntent(view))],
  },
  {
    id: 'steer.steer',
    context: 'main',
    keys: ['s'],
    label: 'steer',
    description: 'steer: the agent restarts, adjusts or escalates',
    group: 'Steer',
    inLines: { word: 'steer' },
    footer: 2,
    available: (view) => steerable(view),
    run: (view) => [compose(view, 'STEER')],
  },
  {
    id: 'steer.info',
    context: 'main',
    keys: ['i'],
    label: 'info',
    description: 'inform an agent; never restarts or pauses it',
    group: 'Steer',
    inLines: { word: 'info' },
    footer: 3,
    available: (view) => steerable(view),
    run: (view) => [compose(view, 'INFO')],
  },
  {
    id: 'steer.now',
    context: 'main',
    keys: ['!'],
    label: 'steer now',
    description: 'steer now: interrupts the current reply, whose text is lost',
    group: 'Steer',
    inLines: { word: 'signal' },
    available: (view) => interruptible(view),
    run: (view) => [composeNow(view)],
  },
  {
    id: 'steer.retry',
    context: 'main',
    keys: ['r'],
    label: 'retry',
    description:
      'retry the failed task at once, also after the end; any other is reopened, with your message for its next attempt',
    group: 'Steer',
    inLines: { word: 'retry' },
    footer: 5,
    available: (view) => retryable(view),
    run: (view) => retry(view),
  },
  {
    id: 'steer.cancel',
    context: 'main',
    keys: ['x'],
    label: (view) =>
      view.ui.focus === 'inbox' ? 'withdraw' : orderHere(view) === null ? 'cancel' : 'take back',
    description: 'cancel the task; in Inbox or Details, withdraw a signal or order',
    group: 'Steer',
    inLines: { word: 'cancel' },
    footer: 6,
    available: (view) => {
      if (view.ui.focus === 'inbox') return withdrawable(view);
      return orderHere(view) === null ? cancellable(view) : steerable(view);
    },
    run: (view) => {
      if (view.ui.focus === 'inbox') return confirmWithdraw(view);
      const order = orderHere(view);
      return order === null ? confirmCancel(view) : [ask({ kind: 'order', id: order })];
    },
  },
  {
    id: 'steer.replace',
    context: 'main',
    keys: ['H'],
    label: 'replace worker',
    description: "replace the task's worker: it leaves the team, and the task becomes free",
    group: 'Steer',
    inLines: { word: 'signal' },
    available: (view) => replaceable(view, workerOnTask(view)),
    run: (view) => {
      const worker = workerOnTask(view);
      return worker === null ? [] : [ask({ kind: 'replace', worker })];
    },
  },
  {
    id: 'steer.more',
    context: 'main',
    keys: ['+', '='],
    label: 'more executors',
    description: 'run one more executor in parallel',
    group: 'Steer',
    inLines: { word: 'signal' },
    available: (view) => scalable(view, 1),
    run: (view) => scale(view, 1),
  },
  {
    id: 'steer.fewer',
    context: 'main',
    keys: ['-'],
    label: 'fewer executors',
    description: 'run one fewer executor; running work is not stopped',
    group: 'Steer',
    inLines: { word: 'signal' },
    available: (view) => scalable(view, -1),
    run: (view) => scale(view, -1),
  },
  {
    id: 'steer.drain',
    context: 'main',
    keys: ['D'],
    label: 'drain',
    description: 'drain: let running work finish, then stop; the session can be resumed',
    group: 'Steer',
    inLines: { word: 'stop' },
    available: (view) => drainable(view),
    run: () => [ask({ kind: 'drain' })],
  },
  {
    id: 'steer.abort',
    context: 'main',
    keys: ['A'],
    label: 'abort',
    description: 'abort: stop every agent and end the session',
    group: 'Steer',
    inLines: { word: 'abort' },
    footer: 7,
    available: (view) => abortable(view),
    run: () => [ask({ kind: 'abort' })],
  },
];

const pendingPause = (session: SessionState | null): string | null => {
  for (const life of session?.signals.values() ?? [])
    if (life.signal.type === 'PAUSE' && life.stage === 'pending') return life.id;
  return null;
};

const pauseVerb = (view: ViewState): string => {
  const stage = view.session?.hold?.stage;
  if (stage === 'paused') return 'resume';
  return stage === 'pausing' || pendingPause(view.session) !== null ? 'withdraw pause' : 'pause';
};

const pauseIntent = (view: ViewState): Intent => {
  const { session } = view;
  if (session?.hold) return publish(view, { type: 'RESUME', target: 'ALL' });
  const pending = pendingPause(session);
  return pending === null
    ? publish(view, { type: 'PAUSE', target: 'ALL' })
    : { type: 'withdraw', id: pending };
};

/** Opens the question before an action that cannot be undone. */
export const ask = (subject: ConfirmSubject): CommandEffect =>
  act({ type: 'overlay-opened', overlay: { kind: 'confirm', subject, editor: createEditor() } });

/** Asks before a signal is withdrawn. */
export const confirmWithdraw = (view: ViewState): readonly CommandEffect[] => {
  const life = chosenSignal(view);
  return life === undefined ? [] : [ask({ kind: 'withdraw', id: life.id })];
};

/** Asks before the selected task is cancelled. */
const confirmCancel = (view: ViewState): readonly CommandEffect[] => {
  const task = selectTask(view);
  return task === null ? [] : [ask({ kind: 'cancel', task })];
};

/** The newest order in force where Details shows it and has the focus, else `null`. */
const orderHere = (view: ViewState): string | null =>
  focusedPane(view).name === 'details' ? (selectOrders(view).at(-1)?.id ?? null) : null;

const scale = (view: ViewState, by: number): readonly CommandEffect[] => [
  perform(
    publish(view, {
      type: 'SET',
      target: 'ALL',
      set: { 'concurrency.max_parallel_executors': executors(view) + by },
    }),
  ),
];
