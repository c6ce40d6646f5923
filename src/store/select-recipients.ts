import type { Invocation } from '../pipeline/state.ts';
import { checkpointsOf } from '../signals/checkpoints.ts';
import { roleSchema } from '../signals/signal.ts';
import { count } from './moment.ts';
import type { ComposeOverlay, Recipient } from './overlay.ts';
import { selectTask } from './select-tasks.ts';
import type { ViewState } from './view.ts';

export interface RecipientChoice extends Recipient {
  readonly label: string;
  /** Works now. */
  readonly live: boolean;
}

/** Whom one can write to: who works now first, then the chosen task, everybody, and the roles that come later. */
export const selectRecipients = (view: ViewState): readonly RecipientChoice[] => {
  const live = working(view).map((invocation): RecipientChoice => {
    const task = invocation.task;
    return { target: invocation.role, task, label: label(invocation.role, task), live: true };
  });
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
  return [...live, ...later, all, ...roles].filter(
    (choice, index, choices) =>
      choices.findIndex((other) => other.target === choice.target && other.task === choice.task) === index,
  );
};

/** The agent on the task one looks at; else the only one that works; else everybody. */
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
  recipient.target === 'ALL' ? 'everybody' : label(recipient.target, recipient.task);

const label = (role: string, task: string | null): string => (task === null ? role : `${role} on ${task}`);

const working = (view: ViewState): readonly Invocation[] =>
  [...(view.session?.invocations.values() ?? [])].filter(
    (invocation) => invocation.stage === 'running' || invocation.stage === 'paused',
  );

/** What will happen to a message and when, computed from the state: the sentence under the composer. */
export const selectFate = (view: ViewState, draft: ComposeOverlay): string => {
  const { session } = view;
  if (session === null) return 'There is no session yet.';
  if (draft.type === 'RETRY') return retryFate(view, draft);
  const effect = draft.type === 'INFO' ? 'It joins the context; nothing restarts.' : verdictWords(draft);
  if (session.hold?.stage === 'paused') return `Queued: read when the session resumes. ${effect}`;
  if (session.hold) return `The session is pausing: queued until it resumes. ${effect}`;
  const heard = working(view).filter((invocation) => matches(invocation, draft.recipient));
  if (draft.recipient.target === 'ALL') {
    const now =
      heard.length === 0 ? 'nobody works just now' : `${count(heard.length, 'agent')} at the next checkpoint`;
    return `Read by the orchestrator and ${now}; later agents of this iteration are told too. ${effect}`;
  }
  const [first] = heard;
  if (first === undefined)
    return `Waits for the next ${recipientLabel(draft.recipient)}; can be withdrawn until then.`;
  return `${whenRead(first)} ${effect}`;
};

const retryFate = (view: ViewState, draft: ComposeOverlay): string => {
  const task = draft.recipient.task ?? 'the task';
  const blocked = [...(view.session?.tasks.values() ?? [])].filter((other) =>
    other.definition.blockedBy.includes(task),
  ).length;
  const rest = blocked > 0 ? ` ${count(blocked, 'task')} behind it can run again.` : '';
  const start = view.session?.running ? '' : ' Nobody runs the session: it is read on resume.';
  return `${task} is opened again; its next attempt is told this.${rest}${start}`;
};

const verdictWords = (draft: ComposeOverlay): string => {
  switch (draft.apply) {
    case 'restart':
      return 'The step starts again.';
    case 'adjust':
      return 'Applied in place; what is done stays.';
    case 'escalate':
      return 'The task goes back to the Planner; no attempt is counted.';
    case null:
      return 'The agent decides: restart, adjust or escalate.';
  }
};

const whenRead = (invocation: Invocation): string => {
  const who = label(invocation.role, invocation.task);
  if (invocation.command !== null) return `${who} reads it when \`${invocation.command.text}\` ends.`;
  const last = checkpointsOf(invocation.role).at(-1);
  return `${who} reads it at its next checkpoint${last ? ` (${last.where})` : ''}.`;
};

const matches = (invocation: Invocation, recipient: Recipient): boolean =>
  recipient.target === 'ALL' ||
  (invocation.role === recipient.target && (recipient.task === null || invocation.task === recipient.task));
