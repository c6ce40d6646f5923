import type { SteerVerdict } from '../../src/signals/signal.ts';
import {
  act,
  always,
  type Command,
  type CommandEffect,
  needAnswered,
  perform,
  terminal,
} from '../command.ts';
import { noOverlays } from '../in-lines.ts';
import { type ComposeChange, type ComposeOverlay, isSameRecipient } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { commandsToEdit, retriedTask } from './command-edit.ts';
import { selectDetour } from './select-detour.ts';
import { recipientOf, selectRecipients } from './select-recipients.ts';
import { publish } from './steerable.ts';

/** Keys of the composer. The field itself handles typing, moving and deleting (`edit-keys.ts`). */
export const writeCommands: readonly Command[] = [
  {
    id: 'write.send',
    context: 'compose',
    keys: ['enter'],
    label: (view) => detourOf(view)?.label ?? (view.session?.hold ? 'queue, stay paused' : 'send'),
    description: 'send the message; while paused, queue it and stay paused',
    group: 'Write',
    inLines: { word: 'steer' },
    footer: 1,
    available: (view) => (detourOf(view) === null ? sendable(view) : true),
    run: (view) => {
      const detour = detourOf(view);
      return detour === null ? send(view, false) : turnTo(view, detour.change);
    },
  },
  {
    id: 'write.send-and-resume',
    context: 'compose',
    keys: ['ctrl-r'],
    label: 'queue and resume',
    description: 'if paused, queue the message and resume',
    group: 'Write',
    inLines: { word: 'signal' },
    footer: 2,
    available: (view) => {
      if (!view.session?.hold) return 'The session is not paused: {write.send} sends';
      return top(view)?.type === 'RETRY' ? '{write.send} sends; {steer.pause} resumes' : sendable(view);
    },
    run: (view) => send(view, true),
  },
  {
    id: 'write.recipient',
    context: 'compose',
    keys: ['tab'],
    label: 'to whom',
    description: 'next recipient',
    group: 'Write',
    inLines: { word: 'signal' },
    footer: 4,
    available: (view) => addressable(view),
    run: (view) => [turnRecipient(view, 1)],
  },
  {
    id: 'write.recipient-back',
    context: 'compose',
    keys: ['shift-tab'],
    label: 'to whom',
    description: 'previous recipient',
    group: 'Write',
    inLines: { word: 'signal' },
    available: (view) => addressable(view),
    run: (view) => [turnRecipient(view, -1)],
  },
  {
    id: 'write.type',
    context: 'compose',
    keys: ['ctrl-t'],
    label: (view) => (top(view)?.type === 'STEER' ? 'make it INFO' : 'make it STEER'),
    description: 'STEER or INFO',
    group: 'Write',
    inLines: { word: 'signal' },
    footer: 5,
    available: (view) => addressable(view),
    run: (view) => [act({ type: 'compose-set', kind: top(view)?.type === 'STEER' ? 'INFO' : 'STEER' })],
  },
  {
    id: 'write.apply',
    context: 'compose',
    keys: ['ctrl-o'],
    label: 'how',
    description: 'how to apply a STEER: restart, adjust, escalate, or as the agent decides',
    group: 'Write',
    inLines: { word: 'signal' },
    footer: 6,
    available: (view) => (top(view)?.type === 'STEER' ? true : 'Only a STEER has this choice'),
    run: (view) => [act({ type: 'compose-set', apply: nextApply(top(view)?.apply ?? null) })],
  },
  {
    id: 'write.commands',
    context: 'compose',
    keys: ['ctrl-x'],
    label: 'edit the command',
    description: "for a RETRY: edit the task's commands in $EDITOR",
    group: 'Write',
    inLines: {
      instead:
        "edit `run:` in the task's file, then retry the task on the screen, which asks before it runs the command",
    },
    footer: 2,
    offered: (view) => top(view)?.type === 'RETRY',
    available: (view) => editableCommands(view),
    run: (view) => [terminal({ type: 'edit-commands', text: commandsToEdit(view) })],
  },
  {
    id: 'write.editor',
    context: 'compose',
    keys: ['ctrl-g'],
    label: 'editor',
    description: 'write it in $EDITOR',
    group: 'Write',
    inLines: { instead: 'a message is one line; `ralph-tui signal` takes a longer one' },
    footer: 7,
    available: always,
    run: (view) => [terminal({ type: 'edit', text: top(view)?.editor.text ?? '' })],
  },
  {
    id: 'write.close',
    context: 'compose',
    keys: ['escape', 'ctrl-c'],
    label: 'keep as draft',
    description: 'close; the text is kept',
    group: 'Write',
    inLines: noOverlays,
    footer: 3,
    available: always,
    run: () => [act({ type: 'overlay-closed' })],
  },
];

const top = (view: ViewState): ComposeOverlay | null => {
  const overlay = view.ui.overlays.at(-1);
  return overlay?.kind === 'compose' ? overlay : null;
};

const detourOf = (view: ViewState): ReturnType<typeof selectDetour> => {
  const overlay = top(view);
  return overlay === null ? null : selectDetour(view, overlay);
};

/** The text that nothing takes any more leaves in the clipboard, and stays as a draft. */
const turnTo = (view: ViewState, change: ComposeChange | null): readonly CommandEffect[] => {
  if (change !== null) return [act({ type: 'compose-set', ...change })];
  const text = top(view)?.editor.text ?? '';
  const copy = text.trim() === '' ? [] : [terminal({ type: 'copy', text })];
  return [act({ type: 'overlay-closed' }), ...copy];
};

const sendable = (view: ViewState): true | string => {
  const overlay = top(view);
  if (overlay === null) return 'No message is open';
  const detour = detourOf(view);
  if (detour !== null) return detour.why;
  return overlay.type === 'RETRY' || overlay.editor.text.trim() !== '' ? true : 'Write a message first';
};

const addressable = (view: ViewState): true | string =>
  top(view)?.type === 'RETRY' ? 'A retry goes to its task' : true;

const editableCommands = (view: ViewState): true | string => {
  if (top(view)?.type !== 'RETRY') return 'Only a RETRY runs commands again';
  const task = retriedTask(view);
  if (task === null) return 'The signal has already been sent: {steer.retry} on the task edits its command';
  return task.run.length + task.verify.length > 0
    ? true
    : `${task.id} has no command: an agent with a model works on it`;
};

const send = (view: ViewState, resume: boolean): readonly CommandEffect[] => {
  const overlay = top(view);
  if (overlay === null) return [];
  const message = overlay.editor.text.trim();
  const { target, task, worker } = overlay.recipient;
  const signal = {
    type: overlay.type,
    target,
    ...(message === '' ? {} : { message }),
    ...(task === null ? {} : { task }),
    ...(worker === undefined ? {} : { worker }),
    ...(overlay.type === 'STEER' && overlay.apply !== null ? { apply: overlay.apply } : {}),
    ...(resume ? { resume: true } : {}),
    ...(overlay.type === 'STEER' && overlay.now === true ? { now: true } : {}),
  };
  const { editing, commands } = overlay;
  const intent = { ...publish(view, signal), ...(commands === undefined ? {} : { commands }) };
  const before = view.session?.signals.get(editing ?? '')?.signal.iteration;
  return [
    act({ type: 'overlay-closed', sent: message }),
    perform(
      editing === undefined
        ? intent
        : {
            type: 'replace',
            id: editing,
            // A message for a later iteration keeps that iteration.
            signal: { ...intent.signal, ...(before === undefined ? {} : { iteration: before }) },
          },
    ),
    // The message comes first: an agent that was refused may end its turn at once, and reads it there.
    ...(overlay.refuses === undefined || view.session?.permissions.has(overlay.refuses) !== true
      ? []
      : [needAnswered, perform({ type: 'permit', request: overlay.refuses, decision: 'no', why: message })]),
  ];
};

const turnRecipient = (view: ViewState, by: 1 | -1): CommandEffect => {
  const choices = selectRecipients(view);
  const now = top(view)?.recipient;
  const at = choices.findIndex((choice) => now !== undefined && isSameRecipient(choice, now));
  const next = choices[(at + by + choices.length) % choices.length];
  return act(
    next === undefined
      ? { type: 'noticed', notice: null }
      : { type: 'compose-set', recipient: recipientOf(next) },
  );
};

const applyOrder: readonly (SteerVerdict | null)[] = [null, 'restart', 'adjust', 'escalate'];
const nextApply = (apply: SteerVerdict | null): SteerVerdict | null =>
  applyOrder[(applyOrder.indexOf(apply) + 1) % applyOrder.length] ?? null;
