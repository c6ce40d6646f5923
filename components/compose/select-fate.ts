import { reachWords, refusalWords } from '../../src/agents/reach-words.ts';
import type { Invocation } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { checkpointsOf } from '../../src/signals/checkpoints.ts';
import { reachedFrom } from '../../src/tasks/reached-from.ts';
import { count } from '../../src/words/local-time.ts';
import type { ComposeOverlay } from '../overlay.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { selectDetour } from './select-detour.ts';
import { label, matches, recipientLabel, working } from './select-recipients.ts';

/** The fate of a message and its time, computed from the state: the sentence under the composer. `held`: nobody reads it now, or ever. */
export const selectFate = (
  view: ViewState,
  draft: ComposeOverlay,
): { readonly text: string; readonly held: boolean } => {
  const text = fateText(view, draft);
  const hears = working(view).some((invocation) => matches(invocation, draft.recipient));
  const held = selectDetour(view, draft) !== null || view.session?.hold != null;
  return { text, held: held || (draft.type !== 'RETRY' && !hears && draft.recipient.target !== 'ALL') };
};

const fateText = (view: ViewState, draft: ComposeOverlay): string =>
  `${refuses(view, draft) ? 'Refuses what the agent asks for. ' : ''}${fateOf(view, draft)}`;

/** The permission may have been answered while the reason was written. */
const refuses = ({ session }: ViewState, draft: ComposeOverlay): boolean =>
  draft.refuses !== undefined && session?.permissions.has(draft.refuses) === true;

const fateOf = (view: ViewState, draft: ComposeOverlay): string => {
  const { session } = view;
  if (session === null) return 'There is no session yet.';
  const detour = selectDetour(view, draft);
  if (detour !== null) return `${detour.why}. {write.send} ${detour.does}.`;
  if (draft.type === 'RETRY') return retryFate(view, draft);
  if (isComplete(session)) return 'Replaces the pending message.';
  const effect = draft.type === 'INFO' ? 'Added to the context; nothing restarts.' : verdictWords(draft);
  const heard = working(view).filter((invocation) => matches(invocation, draft.recipient));
  const [first] = heard;
  const comes = (first === undefined ? null : tooLate(view, first, draft)) ?? effect;
  if (session.hold?.stage === 'paused') return `Queued: read when the session resumes. ${comes}`;
  if (session.hold) return `Queued until the session resumes: it is pausing. ${comes}`;
  const cut = draft.now === true && draft.type === 'STEER' ? heard.filter(replies) : [];
  if (cut.length > 0) return `${interruptWords(cut)} ${effect}`;
  if (draft.recipient.target === 'ALL') {
    const now =
      heard.length === 0
        ? 'No agent is working now; later agents in this iteration get it'
        : `${count(heard.length, 'agent')} will read it at the next step; later agents in this iteration get it too`;
    return `${now}. ${effect}`;
  }
  if (first === undefined)
    return `Waits for ${draft.recipient.worker === undefined ? `the next ${recipientLabel(draft.recipient)}` : `${draft.recipient.worker}'s next task`}; can be withdrawn until then.`;
  return `${refuses(view, draft) ? whenRefused(first) : whenRead(first, draft.type)} ${comes}`;
};

/** What an order can still do once the last command of a task without an agent began; `null` when it can do all. */
const tooLate = ({ session }: ViewState, invocation: Invocation, draft: ComposeOverlay): string | null => {
  const { backend, commandsLeft, role, task } = invocation;
  if (draft.type !== 'STEER' || draft.recipient.target === 'ALL') return null;
  if (backend !== 'script' || role !== 'Executor' || commandsLeft !== 0) return null;
  if (session?.tasks.get(task ?? '')?.definition.on_steer) return null;
  if (draft.apply === 'adjust') return 'No command is left then: too late to adjust its work.';
  return draft.apply === null ? 'No command is left then: it can restart or escalate, not adjust.' : null;
};

const retryFate = (view: ViewState, draft: ComposeOverlay): string => {
  const task = draft.recipient.task ?? 'the task';
  const rest = behindRetry(view, task);
  const start = view.session?.running ? '' : ' Queued until you resume.';
  const told = draft.editor.text.trim() === '' ? '' : '; its next attempt gets this';
  return `${task} is reopened${told}.${rest}${start}`;
};

/** Tasks unreachable because of the failure wait for it again. Done tasks that used its result are not run again. */
const behindRetry = (view: ViewState, task: string): string => {
  const { graph, lines } = selectTasks(view);
  const behind = [...reachedFrom(graph, task)].map((id) => lines.get(id)?.look);
  const unreachable = behind.filter((look) => look === 'unreachable').length;
  const done = behind.filter((look) => look === 'done').length;
  if (unreachable > 0)
    return ` ${count(unreachable, 'task that depends', 'tasks that depend')} on it can run again.`;
  return done > 0 ? ` Work built on it is not redone (${count(done, 'task')}).` : '';
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
    return `Interrupts ${count(cut.length, 'reply', 'replies')} now: their text is lost. Files stay; each agent gets this with its next prompt.`;
  const who = label(first.role, first.task);
  return `Interrupts the ${who} now: the text of its reply is lost. Files stay; it gets this with its next prompt.`;
};

const whenRefused = (invocation: Invocation): string => {
  const { agent, role, task } = invocation;
  return agent === null
    ? whenRead(invocation, 'STEER')
    : `${starts(role, task)} gets it ${refusalWords(agent.reach)}.`;
};

const whenRead = (invocation: Invocation, type: ComposeOverlay['type']): string => {
  const who = starts(invocation.role, invocation.task);
  if (invocation.agent?.replying)
    return `${who} gets it ${reachWords(invocation.agent.reach, type === 'STEER' ? type : 'INFO')}.`;
  if (invocation.command !== null) return `${who} reads it when \`${invocation.command.text}\` ends.`;
  const last = checkpointsOf(invocation.role, invocation.mode).at(-1);
  return `${who} reads it${last ? ` ${last.where}` : ''}.`;
};

/** The same at the start of a sentence. */
const starts = (role: string, task: string | null): string =>
  role === 'Executor' && task !== null ? `The ${label(role, task)}` : label(role, task);
