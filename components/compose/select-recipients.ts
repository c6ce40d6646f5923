import type { Invocation } from '../../src/pipeline/state.ts';
import { roleSchema } from '../../src/signals/signal.ts';
import { isSameRecipient, type Recipient } from '../overlay.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

interface RecipientChoice extends Recipient {
  readonly label: string;
  /** Works now. */
  readonly live: boolean;
}

/** Possible recipients: running agents first, then the chosen task, everybody, and the roles that run later. */
export const selectRecipients = (view: ViewState): readonly RecipientChoice[] => {
  const live = working(view).map((invocation): RecipientChoice => {
    const task = invocation.task;
    return { target: invocation.role, task, label: label(invocation.role, task), live: true };
  });
  const busy = new Set(working(view).map(({ worker }) => worker));
  const team = [...(view.session?.flow?.workers.values() ?? [])].flatMap(
    ({ name, left }): readonly RecipientChoice[] =>
      left !== null || busy.has(name)
        ? []
        : [{ target: 'Executor', task: null, worker: name, label: name, live: false }],
  );
  const chosen = selectTask(view);
  const status = chosen === null ? undefined : view.session?.tasks.get(chosen)?.status;
  const later: readonly RecipientChoice[] =
    chosen !== null && (status === 'open' || status === 'failed' || status === 'running')
      ? [{ target: 'Executor', task: chosen, label: label('Executor', chosen), live: false }]
      : [];
  const all: RecipientChoice = { target: 'ALL', task: null, label: 'everybody', live: live.length > 0 };
  const roles = roleSchema.options.map(
    (role): RecipientChoice => ({ target: role, task: null, label: label(role, null), live: false }),
  );
  return [...live, ...later, ...team, all, ...roles].filter(
    (choice, index, choices) => choices.findIndex((other) => isSameRecipient(other, choice)) === index,
  );
};

/** A choice as the composer keeps it. */
export const recipientOf = ({ target, task, worker }: RecipientChoice): Recipient => ({
  ...{ target, task },
  ...(worker === undefined ? {} : { worker }),
});

/** The agent on the selected task, else the only running one, else everybody. */
export const selectDefaultRecipient = (view: ViewState): Recipient => {
  const task = selectTask(view);
  const live = working(view);
  const onTask = live.find((invocation) => invocation.task !== null && invocation.task === task);
  if (onTask) return { target: onTask.role, task: onTask.task };
  const status = task === null ? undefined : view.session?.tasks.get(task)?.status;
  if (view.ui.selected.tasks !== null && task !== null && (status === 'open' || status === 'failed'))
    return { target: 'Executor', task };
  const [only] = live;
  return live.length === 1 && only ? { target: only.role, task: only.task } : { target: 'ALL', task: null };
};

export const recipientLabel = (recipient: Recipient): string =>
  recipient.target === 'ALL' ? 'everybody' : (recipient.worker ?? label(recipient.target, recipient.task));

/** "agent on english": a role, and of an Executor the task. */
export const label = (role: string, task: string | null): string =>
  task === null ? role : `${role === 'Executor' ? 'agent' : role} on ${task}`;

/** The invocations that work or are paused. */
export const working = (view: ViewState): readonly Invocation[] =>
  [...(view.session?.invocations.values() ?? [])].filter(
    (invocation) => invocation.stage === 'running' || invocation.stage === 'paused',
  );

/** Whether a message to this recipient reaches the invocation. */
export const matches = (invocation: Invocation, recipient: Recipient): boolean =>
  recipient.target === 'ALL' ||
  (invocation.role === recipient.target &&
    (recipient.task === null || invocation.task === recipient.task) &&
    (recipient.worker === undefined || invocation.worker === recipient.worker));
