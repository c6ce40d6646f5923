import { isMessage } from '../../src/signals/kinds.ts';
import {
  act,
  type Command,
  type CommandEffect,
  type Context,
  needAnswered,
  perform,
  terminal,
} from '../command.ts';
import { createEditor } from '../keys/line-editor.ts';
import { planToEdit } from '../plan/plan-edit.ts';
import { planGate } from '../plan/plan-gate.ts';
import type { ViewState } from '../view.ts';
import { confirmWithdraw } from './commands.ts';
import { composeRetry } from './compose.ts';
import { chosenSignal, confirmable, editable, failedTask, retryable, withdrawable } from './steerable.ts';

const editIn = (context: Context): Command => ({
  id: context === 'main' ? 'steer.edit' : 'signal.edit',
  context,
  keys: ['e'],
  label: (view) => {
    if (context === 'main' && planToDecide(view)) return 'edit the plan';
    return context === 'main' && retriesWith(view) ? 'retry with words' : 'edit';
  },
  description:
    'edit a pending message (withdraws it and sends it again), the plan at its gate, or the retry of a failed task',
  group: 'Steer',
  inLines: { word: 'signals' },
  ...(context === 'main' ? { footer: 6 } : { footer: 1 }),
  available: (view) => {
    if (context === 'main' && planToDecide(view)) return true;
    if (context === 'main' && retriesWith(view)) return retryable(view);
    return context === 'main' && view.ui.focus !== 'inbox'
      ? 'Choose a signal in the Inbox first'
      : editable(view);
  },
  run: (view) => {
    if (context === 'main' && planToDecide(view)) return editPlan(view);
    return context === 'main' && retriesWith(view) ? [composeRetry(view)] : edit(view);
  },
});

/** Keys for one signal, in the Inbox and in its overlay. */
export const signalCommands: readonly Command[] = [
  editIn('main'),
  editIn('signal'),
  {
    id: 'signal.confirm',
    context: 'signal',
    keys: ['y'],
    label: 'I sent it',
    description: 'confirm that you sent the decision in this file, so that it counts',
    group: 'Decide',
    inLines: { word: 'signals' },
    footer: 0,
    available: (view) => confirmable(view),
    offered: (view) => confirmable(view) === true,
    run: (view) => {
      const life = chosenSignal(view);
      return life === undefined
        ? []
        : [act({ type: 'overlay-closed' }), needAnswered, perform({ type: 'confirm', id: life.id })];
    },
  },
  {
    id: 'signal.withdraw',
    context: 'signal',
    keys: ['x'],
    label: 'withdraw',
    description: 'withdraw the signal, unless it has been read (asks first)',
    group: 'Steer',
    inLines: { word: 'signals' },
    footer: 2,
    available: (view) => withdrawable(view),
    run: (view) => [act({ type: 'overlay-closed' }), ...confirmWithdraw(view)],
  },
];

/** While the Inbox is focused the key is for the selected signal. */
const planToDecide = ({ session, connection, ui }: ViewState): boolean =>
  session?.gate?.gate === 'plan' && connection !== 'replay' && ui.focus !== 'inbox';

/** As above. */
const retriesWith = (view: ViewState): boolean =>
  failedTask(view) !== null && view.connection !== 'replay' && view.ui.focus !== 'inbox';

const editPlan = (view: ViewState): readonly CommandEffect[] => [
  act({ type: 'overlay-opened', overlay: planGate(view) }),
  terminal({ type: 'edit-plan', text: planToEdit(view) }),
];

const edit = (view: ViewState): readonly CommandEffect[] => {
  const life = chosenSignal(view);
  if (life === undefined) return [];
  const { signal, id } = life;
  const { type } = signal;
  if (!isMessage(type) && type !== 'RETRY') return [];
  const text = view.ui.drafts[`edit:${id}`] || signal.message || '';
  const close = view.ui.overlays.at(-1)?.kind === 'signal' ? [act({ type: 'overlay-closed' })] : [];
  return [
    ...close,
    act({
      type: 'overlay-opened',
      overlay: {
        kind: 'compose',
        type,
        recipient: {
          ...{ target: signal.target, task: signal.task ?? null },
          ...(signal.worker === undefined ? {} : { worker: signal.worker }),
        },
        apply: signal.apply ?? null,
        ...(signal.now === true ? { now: true } : {}),
        editing: id,
        editor: createEditor(text),
      },
    }),
  ];
};
