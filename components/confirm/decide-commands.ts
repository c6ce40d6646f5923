import { selectAskedHere } from '../answer/asked-here.ts';
import {
  act,
  always,
  type Command,
  type CommandEffect,
  needAnswered,
  perform,
  terminal,
} from '../command.ts';
import { ask } from '../compose/commands.ts';
import { publish } from '../compose/steerable.ts';
import { selectOrders } from '../details/select-orders.ts';
import { answerByRequest, noOverlays } from '../in-lines.ts';
import { choiceNames } from '../keys/choice-names.ts';
import { needOverlay } from '../need-overlay.ts';
import { needUnderCursor } from '../needs/needs-queue.ts';
import { type QueueAnswer, type QueueChoice, queueItem, queueWidth } from '../needs/queue-item.ts';
import { selectNeeds } from '../needs/select-needs.ts';
import type { KnowledgeOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { type Confirmation, selectConfirm } from './select-confirm.ts';

const gone = 'This item is no longer open: {needs-you.down} goes to the next';

/** Keys for what waits for a person: the queue, the knowledge gate, confirmations. */
export const decideCommands: readonly Command[] = [
  {
    id: 'decide.open',
    context: 'main',
    keys: ['u'],
    label: (view) => `needs you (${selectNeeds(view).length})`,
    description: 'gates, questions and permissions waiting for you',
    group: 'Decide',
    inLines: { word: 'status' },
    footer: 0,
    available: (view) =>
      selectNeeds(view).length > 0 || (view.session?.remembered.size ?? 0) > 0
        ? true
        : 'Nothing is waiting for you',
    // What the line below the header asks alone has its keys there.
    offered: (view) => selectNeeds(view).length > (selectAskedHere(view) === null ? 0 : 1),
    run: (view) => openNeeds(view),
  },
  {
    id: 'decide.choose',
    context: 'needs-you',
    keys: ['enter'],
    label: 'open',
    description: 'open the item',
    group: 'Decide',
    inLines: { word: 'status' },
    footer: 1,
    available: (view) => (needUnderCursor(view) === null ? gone : true),
    run: (view) => {
      const need = needUnderCursor(view);
      return need === null ? [] : [act({ type: 'overlay-opened', overlay: needOverlay(need, view) })];
    },
  },
  ...choiceNames.map(
    (name, index): Command => ({
      id: `needs.${name}`,
      context: 'needs-you',
      keys: [String(index + 1)],
      label: (view) => choiceAt(view, index)?.label ?? `answer ${index + 1}`,
      description: `answer the item with its ${name} choice, then go to the next item`,
      group: 'Decide',
      inLines: answerByRequest,
      available: (view) => {
        if (needUnderCursor(view) === null) return gone;
        return choiceAt(view, index)?.able ?? 'This item has no such choice: {decide.choose} opens it';
      },
      run: (view) => {
        const choice = choiceAt(view, index);
        return choice === undefined ? [] : effectsOf(view, choice.does);
      },
    }),
  ),
  {
    id: 'knowledge.choose',
    context: 'knowledge',
    keys: ['space'],
    label: 'select',
    description: 'select or deselect the file',
    group: 'Decide',
    inLines: { word: 'approve' },
    footer: 1,
    available: always,
    run: (view) => {
      const file = view.session?.gate?.files[gate(view)?.cursor ?? 0];
      return file === undefined ? [] : [act({ type: 'file-chosen', file })];
    },
  },
  {
    id: 'knowledge.approve',
    context: 'knowledge',
    keys: ['1', 'a'],
    label: (view) => `keep ${chosenWords(view)}`,
    description: 'keep the chosen lessons, or all if none is chosen (asks first)',
    group: 'Decide',
    inLines: { word: 'approve' },
    footer: 2,
    available: always,
    run: () => [act({ type: 'decision-asked', decision: 'approve' })],
  },
  {
    id: 'knowledge.skip',
    context: 'knowledge',
    keys: ['2', 's'],
    label: 'keep none',
    description: 'keep no lessons; the files stay in the session (asks first)',
    group: 'Decide',
    inLines: { word: 'skip' },
    footer: 3,
    available: always,
    run: () => [act({ type: 'decision-asked', decision: 'skip' })],
  },
  {
    id: 'knowledge.confirm',
    context: 'knowledge-asking',
    keys: ['enter'],
    label: 'yes',
    description: 'send the decision, with the typed comment',
    group: 'Decide',
    inLines: { word: 'approve' },
    footer: 1,
    available: always,
    run: (view) => decide(view),
  },
  {
    id: 'knowledge.back',
    context: 'knowledge-asking',
    keys: ['escape', 'ctrl-c'],
    label: 'no',
    description: 'back to the files',
    group: 'Decide',
    inLines: noOverlays,
    footer: 2,
    available: always,
    run: () => [act({ type: 'decision-asked', decision: null })],
  },
  {
    id: 'confirm.yes',
    context: 'confirm',
    keys: ['enter'],
    label: (view) => asked(view)?.verb ?? 'yes',
    description: 'confirm; if a word is required, type it first',
    group: 'Decide',
    inLines: { instead: 'only `abort` needs confirmation: type `abort ABORT`' },
    footer: 1,
    available: (view) => {
      const overlay = view.ui.overlays.at(-1);
      const word = asked(view)?.word ?? null;
      if (overlay?.kind !== 'confirm' || word === null) return true;
      return overlay.editor.text.trim().toUpperCase() === word.toUpperCase()
        ? true
        : `Type ${word} to confirm, or {confirm.close} to cancel`;
    },
    run: (view) => {
      const question = asked(view);
      if (question === null) return [];
      // The question of the plan below is answered by the same yes.
      const below = atPlan(view) ? [act({ type: 'overlay-closed' })] : [];
      return [act({ type: 'overlay-closed' }), ...below, effectOf(question)];
    },
  },
  {
    id: 'confirm.other',
    context: 'confirm',
    keys: ['up', 'down'],
    label: 'other',
    description: 'show another order in force before one is taken back',
    group: 'Decide',
    inLines: { instead: '`ralph-tui signal CANCEL --request ID` takes back any order' },
    available: (view) => (orderBefore(view) === null ? 'There is no other order here' : true),
    run: (view) => {
      const id = orderBefore(view);
      return id === null ? [] : [act({ type: 'overlay-closed' }), ask({ kind: 'order', id })];
    },
  },
];

const atPlan = ({ ui: { overlays } }: ViewState): boolean => {
  const [below, top] = overlays.slice(-2);
  return top?.kind === 'confirm' && top.subject.kind === 'plan' && below?.kind === 'answer';
};

/** The order in force before the one that the question is about; before the first comes the last. */
const orderBefore = (view: ViewState): string | null => {
  const overlay = view.ui.overlays.at(-1);
  if (overlay?.kind !== 'confirm' || overlay.subject.kind !== 'order') return null;
  const { id } = overlay.subject;
  const orders = selectOrders(view);
  const at = orders.findIndex((each) => each.id === id);
  return orders.length < 2 ? null : (orders.at(at - 1)?.id ?? null);
};

const effectOf = ({ command, intent }: Confirmation): CommandEffect =>
  command === undefined ? perform(intent) : terminal({ type: 'run', command, next: intent });

/** The open question, unless it is already settled. */
const asked = (view: ViewState): Confirmation | null => {
  const overlay = view.ui.overlays.at(-1);
  const question = overlay?.kind === 'confirm' ? selectConfirm(view, overlay.subject) : null;
  return typeof question === 'string' ? null : question;
};

const gate = (view: ViewState): KnowledgeOverlay | null => {
  const overlay = view.ui.overlays.at(-1);
  return overlay?.kind === 'knowledge' ? overlay : null;
};

/** Opens a single item at once, and a list when there are more. */
const openNeeds = (view: ViewState): readonly CommandEffect[] => {
  const needs = selectNeeds(view);
  const [only] = needs;
  return [
    act({
      type: 'overlay-opened',
      overlay:
        only !== undefined && needs.length === 1 ? needOverlay(only, view) : { kind: 'needs-you', cursor: 0 },
    }),
  ];
};

const chosenWords = (view: ViewState): string => {
  const chosen = gate(view)?.chosen.length ?? 0;
  return chosen === 0 ? 'all' : `${chosen} chosen`;
};

const decide = (view: ViewState): readonly CommandEffect[] => {
  const overlay = gate(view);
  if (overlay === null || overlay.asking === null) return [];
  const message = overlay.editor.text.trim();
  const comment = message === '' ? {} : { message };
  const signal =
    overlay.asking === 'skip'
      ? ({ type: 'SKIP', target: 'Orchestrator', ...comment } as const)
      : ({
          type: 'APPROVE',
          target: 'Orchestrator',
          ...comment,
          ...(overlay.chosen.length > 0 ? { promote: overlay.chosen } : {}),
        } as const);
  return [act({ type: 'overlay-closed' }), needAnswered, perform(publish(view, signal))];
};

const choiceAt = (view: ViewState, index: number): QueueChoice | undefined => {
  const need = needUnderCursor(view);
  return need === null ? undefined : queueItem(view, need, queueWidth(view)).choices[index];
};

const effectsOf = (view: ViewState, answer: QueueAnswer): readonly CommandEffect[] => {
  switch (answer.kind) {
    case 'permit': {
      const { request, decision } = answer;
      return [needAnswered, perform({ type: 'permit', request, decision })];
    }
    case 'answer': {
      const { request, option } = answer;
      return [needAnswered, perform(publish(view, { type: 'ANSWER', target: 'ALL', request, option }))];
    }
    case 'open':
      return answer.overlays.map((overlay) => act({ type: 'overlay-opened', overlay }));
  }
};
