import { isComplete } from '../../src/session/status.ts';
import { act, type CommandEffect, perform } from '../command.ts';
import { draftOf } from '../drafts.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { ComposeOverlay, Recipient } from '../overlay.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { selectDefaultRecipient } from './select-recipients.ts';
import { failedTask, publish, repliesNow, resumable } from './steerable.ts';

/** Retries the selected task: at once where it failed and nothing was written for it. What did not fail may be lost by another attempt, so it takes a second key. */
export const retry = (view: ViewState): readonly CommandEffect[] => {
  const task = selectTask(view);
  if (task === null || failedTask(view) === null || draftOf(view.ui, 'RETRY', task) !== '')
    return [composeRetry(view)];
  // Other work that waits in a session which stopped half-way is not started with it.
  const resumes = isComplete(view.session) && resumable(view) === true;
  return [
    perform(publish(view, { type: 'RETRY', target: 'ALL', task })),
    ...(resumes ? [perform({ type: 'resume' })] : []),
  ];
};

/** Composes a retry of the selected task. The composer shows why it failed; the message holds only the person's own words. */
export const composeRetry = (view: ViewState): CommandEffect => compose(view, 'RETRY');

export const compose = (view: ViewState, type: ComposeOverlay['type']): CommandEffect => {
  const retried = type === 'RETRY' ? selectTask(view) : null;
  const recipient = retried === null ? recipientNow(view, type) : { target: 'ALL' as const, task: retried };
  const text = draftOf(view.ui, type, recipient.task);
  return act({
    type: 'overlay-opened',
    overlay: { kind: 'compose', type, recipient, apply: null, editor: createEditor(text) },
  });
};

/**
 * The recipient as usual. A draft to the selected task that can no longer be sent to it opens with that task all the same: the dialog then says why, and
 * offers another recipient.
 */
const recipientNow = (view: ViewState, type: ComposeOverlay['type']): Recipient => {
  const usual = selectDefaultRecipient(view);
  const task = selectTask(view);
  return task === null || task === usual.task || draftOf(view.ui, type, task) === ''
    ? usual
    : { target: 'Executor', task };
};

/** Composes a STEER that interrupts: for the agent on the selected task if it replies, else for the first that does. */
export const composeNow = (view: ViewState): CommandEffect => {
  const { target, task } = selectDefaultRecipient(view);
  const replying = repliesNow(view);
  const chosen = replying.find((each) => each.role === target && each.task === task) ?? replying[0];
  const recipient = chosen ? { target: chosen.role, task: chosen.task } : { target, task };
  const editor = createEditor(draftOf(view.ui, 'STEER', recipient.task));
  return act({
    type: 'overlay-opened',
    overlay: { kind: 'compose', type: 'STEER', now: true, recipient, apply: null, editor },
  });
};
