import type { SignalLife } from '../pipeline/state.ts';
import type { Signal } from '../signals/signal.ts';
import type { Intent } from '../store/intent.ts';
import { isFinal, selectChosenSignal } from '../store/select-signals.ts';
import { selectTask, selectTasks } from '../store/select-tasks.ts';
import type { ViewState } from '../store/view.ts';
import { stuckBehind, stuckWords } from '../tasks/stuck-behind.ts';

/** A signal of this session's iteration. */
export const publish = (view: ViewState, signal: Signal): Extract<Intent, { type: 'publish' }> => ({
  type: 'publish',
  signal: view.session ? { ...signal, iteration: view.session.iteration } : signal,
});

/** Why the run cannot be told anything now, or `true`. */
export const steerable = (view: ViewState): true | string => {
  const { session } = view;
  if (session === null) return 'There is no session yet';
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  if (session.state === 'COMPLETE') return 'The session is complete';
  if (session.abort !== null) return 'The session is being aborted';
  if (!session.running || view.connection === 'stopped')
    return view.ui.resumable
      ? 'Nobody runs this session: {arrive.resume} resumes it'
      : 'Nobody runs this session';
  return true;
};

/** Whether a reply could be interrupted. Agents of today report at their checkpoints only, so the reason is all there is to say. */
export const interruptible = (view: ViewState): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  const running = [...(view.session?.invocations.values() ?? [])].find(({ stage }) => stage === 'running');
  if (running === undefined) return 'Nobody replies just now: {steer.steer} steers';
  return running.backend === 'script'
    ? 'Commands are never cut short: {steer.steer} is read when this one ends'
    : `${running.backend} takes nothing during a reply: {steer.steer} is read after it`;
};

/** Whether the task one looks at can be opened again. */
export const retryable = (view: ViewState): true | string => {
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  const id = selectTask(view);
  const task = id === null ? undefined : view.session?.tasks.get(id);
  if (task === undefined) return 'There is no task to retry';
  const { selected, followed } = view.ui;
  if (task.status !== 'failed' && id !== selected.tasks && id !== followed)
    return 'Choose the task to open again first';
  if (view.session?.abort && view.session.state !== 'COMPLETE') return 'The session is being aborted';
  switch (task.status) {
    case 'open':
      return openAlready(view, task.definition.id);
    case 'running':
    case 'review':
      return `${id} is being worked on: {steer.steer} steers it`;
    default:
      return true;
  }
};

/** Opening a task that failed before it helps one that cannot start; opening that one itself changes nothing. */
const openAlready = (view: ViewState, id: string): string => {
  const { graph, standing } = selectTasks(view);
  const tasks = view.session?.tasks ?? new Map();
  const reason = standing.unreachable.get(id);
  if (reason === undefined) return `${id} is open already`;
  const behind = stuckBehind(graph, standing, tasks, [id]);
  if (behind.length === 0) return `${id} is unreachable: ${reason}; no retry helps`;
  return `${id} is unreachable: ${stuckWords(tasks, behind)}. Choose ${behind[0]}, then {steer.retry}`;
};

/** Whether the task one looks at can be cancelled. */
export const cancellable = (view: ViewState): true | string => {
  const able = steerable(view);
  if (able !== true) return able;
  const id = selectTask(view);
  const status = id === null ? undefined : view.session?.tasks.get(id)?.status;
  if (status === undefined) return 'There is no task to cancel';
  return status === 'done' || status === 'cancelled' ? `${id} is ${status} already` : true;
};

/** The signal one looks at: the opened one, else the one chosen in the Inbox. */
export const chosenSignal = (view: ViewState): SignalLife | undefined => {
  const top = view.ui.overlays.at(-1);
  return view.session?.signals.get(
    top?.kind === 'signal' ? top.id : (selectChosenSignal(view, 'inbox') ?? ''),
  );
};

/** Whether the chosen signal can be written anew: wherever it can be taken back, also where nobody runs the session, for it waits there all the same. */
export const editable = (view: ViewState): true | string => {
  const able = withdrawable(view);
  if (able !== true) return able;
  const type = chosenSignal(view)?.signal.type;
  return type === 'STEER' || type === 'INFO' || type === 'RETRY'
    ? true
    : `${type} has no text to edit: {steer.cancel} withdraws it`;
};

/** Whether the chosen signal can still be taken back. */
export const withdrawable = (view: ViewState): true | string => {
  const life = chosenSignal(view);
  if (view.connection === 'replay') return 'This is a replay: nothing can be steered';
  if (life === undefined || isFinal(life.stage)) return 'Choose a signal in the Inbox first';
  return life.stage === 'pending'
    ? true
    : `Too late: already ${life.stage} by ${life.handledBy ?? 'an agent'}`;
};

/** Executors that may work at the same time. */
export const executors = (view: ViewState): number =>
  view.session?.settings.concurrency.max_parallel_executors ?? 1;

/** Whether there can be that many more of them. */
export const scalable = (view: ViewState, by: number): true | string => {
  const able = steerable(view);
  const wanted = executors(view) + by;
  if (able !== true) return able;
  return wanted >= 1 && wanted <= 64 ? true : `${executors(view)} at the same time is the limit`;
};

/** Whether there is anything to abort. */
export const abortable = (view: ViewState): true | string => {
  if (view.session?.abort) return 'The session is being aborted already';
  return steerable(view);
};
