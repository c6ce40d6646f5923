import type { Invocation, SignalLife } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { isMessage } from '../../src/signals/kinds.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { stuckBehind, stuckWords, unreachableReason } from '../../src/tasks/stuck-behind.ts';
import { count } from '../../src/words/local-time.ts';
import { isFinal, lifeWords, selectChosenSignal, selectSignals } from '../mailbox/select-signals.ts';
import type { Intent } from '../ports/intent.ts';
import { selectTask, selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** A signal of this session's iteration. */
export const publish = (view: ViewState, signal: Signal): Extract<Intent, { type: 'publish' }> => ({
  type: 'publish',
  signal: view.session ? { ...signal, iteration: view.session.iteration } : signal,
});

/** `true`, or why the run cannot be steered now. */
export const steerable = (view: ViewState): true | string => {
  const { session } = view;
  if (session === null) return 'There is no session yet';
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  if (view.opening) return 'The session is being resumed';
  if (isComplete(session)) return 'The session has ended';
  if (session.abort !== null) return 'The session is being aborted';
  if (!session.running || view.connection === 'stopped')
    return view.ui.resumable
      ? 'No process is running this session: {session.resume} resumes it'
      : 'No process is running this session';
  return true;
};

/** Whether the session can be resumed here: `true`, or why not. */
export const resumable = (view: ViewState): true | string => {
  const { session, connection, opening, ui } = view;
  if (session === null) return 'There is no session yet';
  if (connection === 'replay') return 'This is a replay: there is nothing to resume';
  if (opening) return 'The session is being resumed';
  if (connection !== 'stopped') return 'The session is running';
  return ui.resumable ? true : 'This session was written by another program and is read-only';
};

/** The invocations whose agent replies and can be interrupted. */
export const repliesNow = ({ session }: ViewState): readonly Invocation[] =>
  [...(session?.invocations.values() ?? [])].filter(
    ({ stage, agent }) => stage === 'running' && agent?.replying === true,
  );

/** Whether a reply can be interrupted now: `true`, or why not. */
export const interruptible = (view: ViewState): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  if (view.session?.hold) return 'The session is paused: a message sent with {steer.steer} is read on resume';
  if (repliesNow(view).length > 0) return true;
  const running = [...(view.session?.invocations.values() ?? [])].find(({ stage }) => stage === 'running');
  if (running === undefined) return 'No agent is replying now: send a message with {steer.steer}';
  if (running.backend === 'script')
    return 'This command cannot be interrupted: a message sent with {steer.steer} is read when it ends';
  const who = running.worker ?? running.backend;
  return running.agent === null
    ? `${who} accepts no messages while it works: a message sent with {steer.steer} is read afterwards`
    : `${who} is not replying right now: a message sent with {steer.steer} is read with its next prompt`;
};

/** Whether the selected task can be retried: `true`, or why not. */
export const retryable = (view: ViewState): true | string => {
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  const id = selectTask(view);
  const task = id === null ? undefined : view.session?.tasks.get(id);
  if (task === undefined) return 'There is no task to retry';
  const { selected, followed } = view.ui;
  if (task.status !== 'failed' && id !== selected.tasks && id !== followed)
    return 'First choose the task to reopen: {look.open}';
  return retriesSent(view).has(task.definition.id)
    ? `A retry of ${id} was sent and is not read yet`
    : retryableTask(view, task.definition.id);
};

/** The selected task, if its last attempt failed. */
export const failedTask = (view: ViewState): string | null => {
  const id = selectTask(view);
  return id !== null && view.session?.tasks.get(id)?.status === 'failed' ? id : null;
};

/** The tasks for which a retry waits to be read. */
export const retriesSent = (view: ViewState): ReadonlySet<string> =>
  new Set(
    selectSignals(view)
      .inbox.filter(({ type }) => type === 'RETRY')
      .map(({ target }) => target),
  );

/** Whether this task can be retried: `true`, or why not. `instead`: what helps at a task that is being worked on. */
export const retryableTask = (
  view: ViewState,
  id: string,
  instead = ': {steer.steer} steers it',
): true | string => {
  if (view.session?.abort && !isComplete(view.session)) return 'The session is being aborted';
  switch (view.session?.tasks.get(id)?.status) {
    case undefined:
      return `There is no task ${id}`;
    case 'open':
      return openAlready(view, id);
    case 'running':
    case 'review':
      return selectTasks(view).lines.get(id)?.look === 'asks'
        ? `${id} waits for you: {decide.open} opens what it asks`
        : `${id} is being worked on${instead}`;
    default:
      return true;
  }
};

/** Points to the failed task to retry, because retrying a task that cannot start changes nothing. */
const openAlready = (view: ViewState, id: string): string => {
  const { graph, standing } = selectTasks(view);
  const tasks = view.session?.tasks ?? new Map();
  const reason = standing.unreachable.get(id);
  if (reason === undefined) return `${id} is already open`;
  const behind = stuckBehind(graph, standing, tasks, [id]);
  if (behind.length === 0)
    return `${id} is unreachable: ${unreachableReason(reason)}; retrying it will not help`;
  return `${id} is unreachable: ${stuckWords(tasks, behind)}. Choose ${behind[0]}, then {steer.retry}`;
};

/** Whether the selected task can be cancelled. */
export const cancellable = (view: ViewState): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  const id = selectTask(view);
  return id === null ? 'There is no task to cancel' : cancellableTask(view, id);
};

/** Whether this task can be cancelled. */
export const cancellableTask = (view: ViewState, id: string): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  const status = view.session?.tasks.get(id)?.status;
  if (status === undefined) return 'There is no task to cancel';
  return status === 'done' || status === 'cancelled' ? `${id} is already ${status}` : true;
};

/** The worker of the team that has the selected task; `null`: none. */
export const workerOnTask = (view: ViewState): string | null =>
  view.session?.flow?.claims.get(selectTask(view) ?? '')?.worker ?? null;

/** Whether a worker of the team can be replaced. */
export const replaceable = (view: ViewState, worker: string | null): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  const member = view.session?.flow?.workers.get(worker ?? '');
  if (member === undefined) return 'Choose a task that a team member is working on';
  return member.left === null ? true : `${member.name} left the team: ${member.left}`;
};

/** The opened signal, else the one selected in the Inbox. */
export const chosenSignal = (view: ViewState): SignalLife | undefined => {
  const top = view.ui.overlays.at(-1);
  return view.session?.signals.get(
    top?.kind === 'signal' ? top.id : (selectChosenSignal(view, 'inbox') ?? ''),
  );
};

/** Whether the chosen signal can be edited: whenever it can be withdrawn, also without a host, because it waits there too. */
export const editable = (view: ViewState): true | string => {
  const able = withdrawable(view);
  if (able !== true) return able;
  const type = chosenSignal(view)?.signal.type;
  return type !== undefined && (isMessage(type) || type === 'RETRY')
    ? true
    : `${type} has no text to edit: {steer.cancel} withdraws it`;
};

/** Whether the chosen signal can still be withdrawn. */
export const withdrawable = (view: ViewState): true | string => {
  const life = chosenSignal(view);
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  if (view.session === null || life === undefined || isFinal(life.stage))
    return 'Choose a signal in the Inbox first';
  return life.stage === 'pending' ? true : `Too late: ${lifeWords(life, view.session)}`;
};

/** Whether the chosen signal waits for a person to confirm it. */
export const confirmable = (view: ViewState): true | string => {
  const able = withdrawable(view);
  if (able !== true) return able;
  return chosenSignal(view)?.unproven ? true : 'This signal needs no confirmation';
};

/** Maximum number of executors at the same time. */
export const executors = (view: ViewState): number =>
  view.session?.settings.concurrency.max_parallel_executors ?? 1;

/** Whether the number of executors can change by `by`. */
export const scalable = (view: ViewState, by: number): true | string => {
  const able = steerable(view);
  const wanted = executors(view) + by;
  if (able !== true) return able;
  return wanted >= 1 && wanted <= 64
    ? true
    : `The ${by > 0 ? 'maximum' : 'minimum'} is ${count(executors(view), 'executor')} at a time`;
};

/** Whether there is anything to abort. */
export const abortable = (view: ViewState): true | string => {
  if (view.session?.abort) return 'The session is already being aborted';
  return steerable(view);
};

/** Whether there is anything to drain. */
export const drainable = (view: ViewState): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  return view.session?.drain ? 'The session is already draining' : true;
};
