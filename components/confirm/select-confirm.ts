import { safe } from '../../src/base/safe.ts';
import { standing } from '../../src/tasks/graph.ts';
import { count } from '../../src/words/local-time.ts';
import { abortable, cancellableTask, drainable, publish, replaceable } from '../compose/steerable.ts';
import { selectOrders } from '../details/select-orders.ts';
import { selectTurn } from '../details/select-turn.ts';
import { lifeWords } from '../mailbox/select-signals.ts';
import type { ConfirmSubject } from '../overlay.ts';
import { selectLogin } from '../permission/select-login.ts';
import type { Intent } from '../ports/intent.ts';
import type { AgentInstall } from '../start/start-list.ts';
import { abortedTasks, atWork } from '../tasks/at-work.ts';
import { selectStanding, selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** A question before an action that cannot be undone, in its current wording. */
export interface Confirmation {
  readonly title: string;
  readonly lines: readonly string[];
  /** The action of Enter, for the footer. */
  readonly verb: string;
  /** Must be typed before Enter has an effect (ABORT). */
  readonly word: string | null;
  readonly intent: Intent;
  /** Runs on the terminal first. The intent follows when it succeeds. */
  readonly command?: string;
}

/** The question about this subject, or the reason why it is settled. */
export const selectConfirm = (view: ViewState, subject: ConfirmSubject): Confirmation | string => {
  switch (subject.kind) {
    case 'cancel':
      return cancelling(view, subject.task);
    case 'replace':
      return replacing(view, subject.worker);
    case 'withdraw':
      return withdrawing(view, subject.id);
    case 'order':
      return endingOrder(view, subject.id);
    case 'take-back':
      return takingBack(view, subject);
    case 'abort':
      return aborting(view, subject.leaving === true);
    case 'drain':
      return draining(view);
    case 'install':
      return installing(subject.install);
    case 'lift':
      return lifting(view);
    case 'login':
      return loggingIn(view);
    case 'beside':
      return {
        title: 'Start another session here?',
        lines: [
          `${subject.what}.`,
          'Both would change the same files, unaware of each other. {confirm.close} cancels; {session.list} shows the one that is running.',
        ],
        verb: 'start beside it',
        word: null,
        intent: subject.intent,
      };
    case 'plan':
      if (view.session?.gate?.gate !== 'plan') return 'The plan gate is already closed';
      return {
        title: 'Approve the plan as edited?',
        lines: subject.lines,
        verb: 'approve',
        word: null,
        intent: { type: 'publish', signal: subject.signal },
      };
  }
};

const replacing = (view: ViewState, name: string): Confirmation | string => {
  const able = replaceable(view, name);
  if (able !== true) return able;
  const worker = view.session?.flow?.workers.get(name);
  const after =
    worker?.foreign === null
      ? 'Another worker with the same role takes its place.'
      : 'Its program gets no more tasks.';
  return {
    title: `Replace ${safe(name)}?`,
    lines: [`It leaves the team, and its unfinished work is discarded. Its task becomes free. ${after}`],
    verb: 'replace it',
    word: null,
    intent: publish(view, { type: 'CANCEL', target: 'Executor', worker: name }),
  };
};

/** Names the tasks that can no longer start when this one is cancelled. */
const cancelling = (view: ViewState, id: string): Confirmation | string => {
  const able = cancellableTask(view, id);
  if (able !== true) return able;
  const lost = lostBy(view, id);
  return {
    title: `Cancel ${id}?`,
    lines: [
      isAtWork(view, id)
        ? 'Stops its agent; files it changed stay as they are.'
        : 'No agent is working on it now, and no file is reverted.',
      ...(lost.length === 0 ? [] : [`Becomes unreachable: ${named(lost)}.`]),
    ],
    verb: `cancel ${id}`,
    word: null,
    intent: publish(view, { type: 'CANCEL', target: 'ALL', task: id }),
  };
};

/** Asks whether to lift the hold of a resumed session: without an answer it would only wait. */
const lifting = (view: ViewState): Confirmation | string => {
  const hold = view.session?.hold ?? null;
  if (hold === null) return 'The session continues';
  return {
    title: 'Continue now?',
    lines: [
      `The session was paused by ${safe(hold.by)}: nothing starts until you resume it.`,
      ...(hold.message === null ? [] : [`"${safe(hold.message)}"`]),
    ],
    verb: 'resume',
    word: null,
    intent: publish(view, { type: 'RESUME', target: 'ALL' }),
  };
};

const loggingIn = (view: ViewState): Confirmation | string => {
  const login = selectLogin(view);
  if (login === null) return 'No agent is waiting for a login';
  return {
    title: `Log in to ${login.label}?`,
    lines: [
      `Runs \`${safe(login.command)}\` here, and this screen waits. Exit that program once you are logged in: the session then resumes.`,
    ],
    verb: 'run it',
    word: null,
    command: login.command,
    intent: { type: 'resume' },
  };
};

const installing = ({ label, command, megabytes }: AgentInstall): Confirmation => ({
  title: `Install ${label}?`,
  lines: [`Runs \`${command}\` here: about ${megabytes} MB on disk. This screen waits until it is done.`],
  verb: 'install',
  word: null,
  command,
  intent: { type: 'offer' },
});

const withdrawing = ({ session }: ViewState, id: string): Confirmation | string => {
  const life = session?.signals.get(id);
  if (session === null || life === undefined) return 'This signal no longer exists';
  const { type, message } = life.signal;
  if (life.stage !== 'pending') return `Too late to withdraw ${type}: ${lifeWords(life, session)}`;
  return {
    title: `Withdraw ${type}?`,
    lines: [message ?? 'Not read yet.'],
    verb: 'withdraw',
    word: null,
    intent: { type: 'withdraw', id },
  };
};

const endingOrder = (view: ViewState, id: string): Confirmation | string => {
  const orders = selectOrders(view);
  const order = orders.find((each) => each.id === id);
  if (order === undefined) return 'This order is no longer in force';
  return {
    title: 'Take this order back?',
    lines: [
      `"${safe(order.text)}"`,
      'An agent that has it hears that it no longer holds; later ones do not get it.',
      ...(orders.length > 1 ? [`{confirm.other} shows another of ${count(orders.length, 'order')}.`] : []),
    ],
    verb: 'take it back',
    word: null,
    intent: publish(view, { type: 'CANCEL', target: 'ALL', request: id }),
  };
};

const takingBack = (
  view: ViewState,
  { task, attempt }: Extract<ConfirmSubject, { readonly kind: 'take-back' }>,
): Confirmation | string => {
  const turn = selectTurn(view, task, attempt);
  if (typeof turn === 'string') return turn;
  const { way, inWorktree } = turn;
  const what = attempt === null ? safe(task) : `attempt ${attempt} of ${safe(task)}`;
  const place = inWorktree ? "the session's branch; your own branch stays as it is" : 'the workspace';
  return {
    title: way === 'undo' ? `Undo ${what}?` : `Bring ${what} back?`,
    lines: [
      way === 'undo'
        ? `Removes its changes from ${place}. A patch is saved first.`
        : `Puts its changes back into ${place}.`,
      ...(view.session?.running
        ? [
            inWorktree
              ? 'This waits until no merge is in progress.'
              : 'This happens once no agent is working.',
          ]
        : []),
    ],
    verb: way,
    word: null,
    intent: { type: 'take-back', way, task, attempt },
  };
};

const aborting = (view: ViewState, leaving: boolean): Confirmation | string => {
  const able = abortable(view);
  if (able !== true) return able;
  const running = atWork(view);
  return {
    title: 'Abort the session?',
    lines: [
      running === 0
        ? 'No agent is working now. This ends the session; only a retry or feedback can reopen it.'
        : `Stops ${count(running, 'agent')} and every process ${running === 1 ? 'it' : 'they'} started, and verifies that they are gone.`,
      [...abortedTasks(view), 'No file is reverted; the lessons stay in the session.'].join(' '),
    ],
    verb: 'abort',
    word: 'ABORT',
    intent: leaving ? { type: 'quit', how: 'abort' } : publish(view, { type: 'ABORT', target: 'ALL' }),
  };
};

/** RESUME does not take a DRAIN back. */
const draining = (view: ViewState): Confirmation | string => {
  const able = drainable(view);
  if (able !== true) return able;
  const running = atWork(view);
  return {
    title: 'Drain the session?',
    lines: [
      running === 0
        ? 'No agent is working now: the session stops immediately.'
        : `Nothing new starts. ${count(running, 'working agent')} ${running === 1 ? 'finishes' : 'finish'} first; then the session stops.`,
      'It can be resumed later. Resuming while it drains does not cancel the drain.',
    ],
    verb: 'drain',
    word: null,
    intent: publish(view, { type: 'DRAIN', target: 'ALL' }),
  };
};

const isAtWork = ({ session }: ViewState, id: string): boolean =>
  [...(session?.invocations.values() ?? [])].some(
    ({ task, stage }) => task === id && (stage === 'running' || stage === 'paused'),
  );

/** Tasks that cancelling this one would make unreachable, in the order of the waves. */
const lostBy = (view: ViewState, id: string): readonly string[] => {
  const { session } = view;
  const task = session?.tasks.get(id);
  if (!session || task === undefined) return [];
  const { graph } = selectTasks(view);
  const cancelled = new Map(session.tasks).set(id, { ...task, status: 'cancelled' });
  const { unreachable } = standing(graph, cancelled, session.settings.retries.max_attempts);
  const before = selectStanding(session).unreachable;
  return [...unreachable.keys()].filter((each) => !before.has(each));
};

/** Up to six ids, or five and the number of the rest. */
const named = (ids: readonly string[]): string =>
  ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`;
