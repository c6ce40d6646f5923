import { reachWords } from '../../agents/reach-words.ts';
import type { Invocation } from '../../pipeline/state.ts';
import { isComplete } from '../../session/status.ts';
import { checkpointsOf } from '../../signals/checkpoints.ts';
import { roleSchema } from '../../signals/signal.ts';
import type { Graph } from '../../tasks/graph.ts';
import { count } from '../../words/local-time.ts';
import { type ComposeOverlay, isSameRecipient, type Recipient } from '../overlay.ts';
import { selectTask, selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { retryableTask } from './steerable.ts';

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

const label = (role: string, task: string | null): string =>
  task === null ? role : `${role === 'Executor' ? 'agent' : role} on ${task}`;

/** The same at the start of a sentence. */
const starts = (role: string, task: string | null): string =>
  role === 'Executor' && task !== null ? `The ${label(role, task)}` : label(role, task);

const working = (view: ViewState): readonly Invocation[] =>
  [...(view.session?.invocations.values() ?? [])].filter(
    (invocation) => invocation.stage === 'running' || invocation.stage === 'paused',
  );

/** The fate of a message and its time, computed from the state: the sentence under the composer. `held`: nobody reads it now, or ever. */
export const selectFate = (
  view: ViewState,
  draft: ComposeOverlay,
): { readonly text: string; readonly held: boolean } => {
  const text = fateText(view, draft);
  const hears = working(view).some((invocation) => matches(invocation, draft.recipient));
  const held = unsendable(view, draft) !== null || view.session?.hold != null;
  return { text, held: held || (draft.type !== 'RETRY' && !hears && draft.recipient.target !== 'ALL') };
};

const fateText = (view: ViewState, draft: ComposeOverlay): string =>
  `${draft.refuses === undefined ? '' : 'Refuses what the agent asks. '}${fateOf(view, draft)}`;

const fateOf = (view: ViewState, draft: ComposeOverlay): string => {
  const { session } = view;
  if (session === null) return 'There is no session yet.';
  const refused = unsendable(view, draft);
  if (refused !== null) return `${refused}.`;
  if (draft.type === 'RETRY') return retryFate(view, draft);
  const effect = draft.type === 'INFO' ? 'It joins the context; nothing restarts.' : verdictWords(draft);
  if (session.hold?.stage === 'paused') return `Queued: read when the session resumes. ${effect}`;
  if (session.hold) return `The session is pausing: queued until it resumes. ${effect}`;
  const heard = working(view).filter((invocation) => matches(invocation, draft.recipient));
  const cut = draft.now === true && draft.type === 'STEER' ? heard.filter(replies) : [];
  if (cut.length > 0) return `${interruptWords(cut)} ${effect}`;
  if (draft.recipient.target === 'ALL') {
    const now =
      heard.length === 0
        ? 'No agent is working now'
        : `Read by ${count(heard.length, 'agent')} at the next step`;
    return `${now}; later agents of this iteration get it too. ${effect}`;
  }
  const [first] = heard;
  if (first === undefined)
    return `Waits for the next ${draft.recipient.worker === undefined ? '' : 'task of '}${recipientLabel(draft.recipient)}; can be withdrawn until then.`;
  return `${whenRead(first, draft.type)} ${effect}`;
};

/** Why this message no longer has an effect, or `null`. The run may have continued while it was written. */
export const unsendable = (view: ViewState, draft: ComposeOverlay): string | null => {
  const { session } = view;
  const life = draft.editing === undefined ? undefined : session?.signals.get(draft.editing);
  if (life !== undefined && life.stage !== 'pending')
    return `The message it would replace is ${life.stage} already: {write.close} keeps this text`;
  if (draft.type === 'RETRY') {
    const able = retryableTask(view, draft.recipient.task ?? '');
    return able === true ? null : able;
  }
  if (isComplete(session)) return 'The session is complete: no agent will read it';
  if (session?.abort) return 'The session is being aborted: no agent will read it';
  const { task } = draft.recipient;
  const status = task === null ? undefined : session?.tasks.get(task)?.status;
  const reads = working(view).some((invocation) => matches(invocation, draft.recipient));
  return !reads && (status === 'done' || status === 'cancelled')
    ? `${task} is already ${status}: no agent will read it. {write.recipient} chooses another`
    : null;
};

const retryFate = (view: ViewState, draft: ComposeOverlay): string => {
  const task = draft.recipient.task ?? 'the task';
  const rest = behindRetry(view, task);
  const start = view.session?.running ? '' : ' Read when you resume.';
  const told = draft.editor.text.trim() === '' ? '' : '; its next attempt gets this';
  return `${task} is reopened${told}.${rest}${start}`;
};

/** Tasks unreachable because of the failure wait for it again. Done tasks that used its result are not run again. */
const behindRetry = (view: ViewState, task: string): string => {
  const { graph, lines } = selectTasks(view);
  const behind = [...reachedFrom(graph, task)].map((id) => lines.get(id)?.look);
  const unreachable = behind.filter((look) => look === 'unreachable').length;
  const done = behind.filter((look) => look === 'done').length;
  if (unreachable > 0) return ` ${count(unreachable, 'task')} behind it can run again.`;
  return done > 0 ? ` Work that was built on it is not redone (${count(done, 'task')}).` : '';
};

const reachedFrom = (graph: Graph, task: string): ReadonlySet<string> => {
  const reached = new Set<string>();
  const todo = [task];
  for (let id = todo.pop(); id !== undefined; id = todo.pop())
    for (const next of graph.dependantsOf.get(id) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        todo.push(next);
      }
  return reached;
};

const verdictWords = (draft: ComposeOverlay): string => {
  switch (draft.apply) {
    case 'restart':
      return 'The step starts again.';
    case 'adjust':
      return 'Applied in place; finished work stays.';
    case 'escalate':
      return 'The task goes back to the Planner; no attempt is counted.';
    case null:
      return 'The agent decides: restart, adjust or escalate.';
  }
};

const replies = ({ agent }: Invocation): boolean => agent?.replying === true;

/** What an interruption costs, before it is sent. */
const interruptWords = (cut: readonly Invocation[]): string => {
  const [first] = cut;
  if (cut.length > 1 || first === undefined)
    return `Interrupts ${count(cut.length, 'reply', 'replies')} now: their text is lost. Files stay; each gets this with its next prompt.`;
  const who = label(first.role, first.task);
  return `Interrupts the ${who} now: the text of its reply is lost. Files stay; it gets this with its next prompt.`;
};

const whenRead = (invocation: Invocation, type: ComposeOverlay['type']): string => {
  const who = starts(invocation.role, invocation.task);
  if (invocation.agent?.replying)
    return `${who} gets it ${reachWords(invocation.agent.reach, type === 'STEER' ? type : 'INFO')}.`;
  if (invocation.command !== null) return `${who} reads it when \`${invocation.command.text}\` ends.`;
  const last = checkpointsOf(invocation.role).at(-1);
  return `${who} reads it${last ? `: it looks ${last.where}` : ''}.`;
};

const matches = (invocation: Invocation, recipient: Recipient): boolean =>
  recipient.target === 'ALL' ||
  (invocation.role === recipient.target &&
    (recipient.task === null || invocation.task === recipient.task) &&
    (recipient.worker === undefined || invocation.worker === recipient.worker));
