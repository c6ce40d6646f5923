import { isComplete } from '../../src/session/status.ts';
import type { ComposeChange, ComposeOverlay, Recipient } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { matches, recipientLabel, recipientOf, selectRecipients, working } from './select-recipients.ts';
import { retryableTask } from './steerable.ts';

/** What Enter does instead where the message would have no effect. The run may have continued while it was written. */
interface Detour {
  readonly why: string;
  /** The end of the sentence: "Enter addresses the agent on english". */
  readonly does: string;
  /** The same as a verb of the footer. */
  readonly label: string;
  /** The change of the message, which another Enter sends. `null`: nothing takes it any more, and its text is copied. */
  readonly change: ComposeChange | null;
}

/** `null`: the message has an effect. */
export const selectDetour = (view: ViewState, draft: ComposeOverlay): Detour | null => {
  const { session } = view;
  const life = draft.editing === undefined ? undefined : session?.signals.get(draft.editing);
  if (life !== undefined && life.stage !== 'pending')
    return {
      why: `The pending message is already ${life.stage === 'withdrawn' ? 'withdrawn' : 'taken'}`,
      does: 'makes this a new one',
      label: 'make it a new message',
      change: { anew: true },
    };
  if (draft.type === 'RETRY') {
    const able = retryableTask(view, draft.recipient.task ?? '', '');
    return able === true ? null : withoutRetry(view, draft, able);
  }
  // A pending message waits for the next iteration, too.
  if (isComplete(session) && life !== undefined) return null;
  if (isComplete(session)) return afterEnd(view, draft, 'The session has ended: no agent will read this');
  if (session?.abort) return copied(draft, 'The session is being aborted: no agent will read this');
  const gone = nobodyReads(view, draft.recipient);
  return gone === null ? null : readdressed(view, `${gone}: no agent will read this`);
};

/** Why nobody reads a message to this recipient, now or later. */
const nobodyReads = (view: ViewState, recipient: Recipient): string | null => {
  const { session } = view;
  if (working(view).some((invocation) => matches(invocation, recipient))) return null;
  const member = session?.flow?.workers.get(recipient.worker ?? '');
  if (member !== undefined && member.left !== null) return `${member.name} left the team`;
  const { task } = recipient;
  const status = task === null ? undefined : session?.tasks.get(task)?.status;
  return status === 'done' || status === 'cancelled' ? `${task} is already ${status}` : null;
};

/** The first agent that works, else everybody. */
const readdressed = (view: ViewState, why: string): Detour => {
  const choices = selectRecipients(view);
  const next = choices.find(({ live }) => live) ?? choices.find(({ target }) => target === 'ALL');
  const recipient: Recipient = next === undefined ? { target: 'ALL', task: null } : recipientOf(next);
  const name = recipientLabel(recipient);
  return {
    why,
    does: `addresses this to ${withArticle(name)}; {write.recipient} selects the next recipient`,
    label: `to ${name}`,
    change: { recipient },
  };
};

const withArticle = (name: string): string => (name.startsWith('agent ') ? `the ${name}` : name);

/** A task that works again, or waits to, gets the words as a STEER. */
const withoutRetry = (view: ViewState, draft: ComposeOverlay, why: string): Detour => {
  const { session } = view;
  const status = session?.tasks.get(draft.recipient.task ?? '')?.status;
  if (session?.abort || status === undefined || isComplete(session)) return copied(draft, why);
  return {
    why,
    does: 'makes this a STEER for its agent',
    label: 'make it STEER',
    change: { kind: 'STEER', recipient: { target: 'Executor', task: draft.recipient.task } },
  };
};

/** After the end only a retry starts work, with the resume. */
const afterEnd = (view: ViewState, draft: ComposeOverlay, why: string): Detour => {
  const { task } = draft.recipient;
  if (task === null || view.session?.tasks.get(task)?.status !== 'failed') return copied(draft, why);
  return {
    why,
    does: `makes this a retry of ${task}`,
    label: `retry ${task}`,
    change: { kind: 'RETRY' },
  };
};

const copied = (draft: ComposeOverlay, why: string): Detour =>
  draft.editor.text.trim() === ''
    ? { why, does: 'closes', label: 'close', change: null }
    : { why, does: 'copies the text and closes', label: 'copy the text', change: null };
