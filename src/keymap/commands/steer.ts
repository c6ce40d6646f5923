import type { SessionState } from '../../pipeline/state.ts';
import type { Intent } from '../../store/intent.ts';
import { createEditor } from '../../store/line-editor.ts';
import { count } from '../../store/moment.ts';
import type { ComposeOverlay } from '../../store/overlay.ts';
import { draftOf } from '../../store/reduce-ui.ts';
import { selectDefaultRecipient } from '../../store/select-recipients.ts';
import { selectTask } from '../../store/select-tasks.ts';
import type { ViewState } from '../../store/view.ts';
import { act, type Command, type Doing, perform } from '../command.ts';
import { confirmCancel } from '../confirm-cancel.ts';
import {
  abortable,
  cancellable,
  chosenSignal,
  executors,
  interruptible,
  publish,
  retryable,
  scalable,
  steerable,
  withdrawable,
} from '../steerable.ts';

/** Keys that steer the run; each comes to a signal file. */
export const steerCommands: readonly Command[] = [
  {
    id: 'steer.pause',
    context: 'main',
    keys: ['p'],
    label: (view) => pauseVerb(view),
    description: 'pause, take the pause back, or resume',
    group: 'Steer',
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
    footer: 2,
    available: (view) => steerable(view),
    run: (view) => [compose(view, 'STEER')],
  },
  {
    id: 'steer.info',
    context: 'main',
    keys: ['i'],
    label: 'info',
    description: 'tell an agent something; never restarts or pauses it',
    group: 'Steer',
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
    available: (view) => interruptible(view),
    run: (view) => [compose(view, 'STEER')],
  },
  {
    id: 'steer.retry',
    context: 'main',
    keys: ['r'],
    label: 'retry',
    description: 'open the task again; its next attempt is told',
    group: 'Steer',
    footer: 5,
    available: (view) => retryable(view),
    run: (view) => [compose(view, 'RETRY')],
  },
  {
    id: 'steer.cancel',
    context: 'main',
    keys: ['x'],
    label: (view) => (view.ui.focus === 'inbox' ? 'withdraw' : 'cancel'),
    description: 'cancel the task; in the Inbox withdraw the signal',
    group: 'Steer',
    footer: 6,
    available: (view) => (view.ui.focus === 'inbox' ? withdrawable(view) : cancellable(view)),
    run: (view) => (view.ui.focus === 'inbox' ? confirmWithdraw(view) : confirmCancel(view)),
  },
  {
    id: 'steer.more',
    context: 'main',
    keys: ['+', '='],
    label: 'more executors',
    description: 'one executor more at the same time',
    group: 'Steer',
    available: (view) => scalable(view, 1),
    run: (view) => scale(view, 1),
  },
  {
    id: 'steer.fewer',
    context: 'main',
    keys: ['-'],
    label: 'fewer executors',
    description: 'one executor fewer; running work is not stopped',
    group: 'Steer',
    available: (view) => scalable(view, -1),
    run: (view) => scale(view, -1),
  },
  {
    id: 'steer.abort',
    context: 'main',
    keys: ['A'],
    label: 'abort',
    description: 'abort: stop every agent and end the session',
    group: 'Steer',
    footer: 7,
    available: (view) => abortable(view),
    run: (view) => [confirmAbort(view)],
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

/** A retry of the task one looks at, its verdict prefilled. */
export const composeRetry = (view: ViewState): Doing => compose(view, 'RETRY');

const compose = (view: ViewState, type: ComposeOverlay['type']): Doing => {
  const retried = type === 'RETRY' ? selectTask(view) : null;
  const recipient =
    retried === null ? selectDefaultRecipient(view) : { target: 'ALL' as const, task: retried };
  const task = retried === null ? undefined : view.session?.tasks.get(retried);
  // That it was cancelled is nothing to tell whoever does it now.
  const reason = task?.status === 'failed' ? task.reason : null;
  // What one adds stands on a line of its own, and not behind the last word of the verdict.
  const prefill = reason ? `${reason}\n` : '';
  const text = draftOf(view.ui, type, recipient.task) || prefill;
  return act({
    type: 'overlay-opened',
    overlay: { kind: 'compose', type, recipient, apply: null, editor: createEditor(text) },
  });
};

/** Asks before a signal is taken back. */
export const confirmWithdraw = (view: ViewState): readonly Doing[] => {
  const life = chosenSignal(view);
  if (life === undefined) return [];
  return [
    act({
      type: 'overlay-opened',
      overlay: {
        kind: 'confirm',
        title: `Withdraw ${life.signal.type}?`,
        lines: [life.signal.message ?? `Nobody has read it yet.`],
        verb: 'withdraw',
        word: null,
        editor: createEditor(),
        intent: { type: 'withdraw', id: life.id },
      },
    }),
  ];
};

const scale = (view: ViewState, by: number): readonly Doing[] => [
  perform(
    publish(view, {
      type: 'SET',
      target: 'ALL',
      set: { 'concurrency.max_parallel_executors': executors(view) + by },
    }),
  ),
];

/** Shared with the quit choices: leaving by abort asks for the same word. */
export const confirmAbort = (view: ViewState): Doing => {
  const running = [...(view.session?.invocations.values() ?? [])].filter(
    (invocation) => invocation.stage === 'running',
  ).length;
  return act({
    type: 'overlay-opened',
    overlay: {
      kind: 'confirm',
      title: 'Abort the session?',
      lines: [
        running === 0
          ? 'No agent works just now. The session is over; only a retry or feedback opens it again.'
          : `Stops ${count(running, 'agent')} and everything they started, and verifies it.`,
        'Running tasks are marked failed. No file is reverted; staged knowledge stays.',
      ],
      verb: 'abort',
      word: 'ABORT',
      editor: createEditor(),
      intent: publish(view, { type: 'ABORT', target: 'ALL' }),
    },
  });
};
