import { safe } from '../../src/base/safe.ts';
import { act, type Command, type CommandEffect, needAnswered, perform, terminal } from '../command.ts';
import { conflictToEdit, editedChoice } from '../compose/conflict-edit.ts';
import { publish } from '../compose/steerable.ts';
import { choiceNames } from '../keys/choice-names.ts';
import { createEditor } from '../keys/line-editor.ts';
import { planToEdit } from '../plan/plan-edit.ts';
import { planDrafts, planFeedback, planGateOf } from '../plan/plan-gate.ts';
import {
  type DraftedAnswer,
  draftedAnswer,
  selectChoices,
  selectQuestion,
  takesText,
} from '../question/select-question.ts';
import type { ViewState } from '../view.ts';

/** Keys of a question's dialog and of the gate of the plan. */
export const answerCommands: readonly Command[] = [
  {
    id: 'answer.send',
    context: 'answer',
    keys: ['enter'],
    label: (view) => {
      if (planGateOf(view)?.side === 'tasks') return 'decide';
      const drafted = drafts(view);
      if (drafted.kind === 'choose')
        return drafted.isNamed === true
          ? `choose ${safe(drafted.name)}`
          : `switch to ${safe(drafted.name)} to send this text`;
      const { option } = drafted.kind === 'answer' ? drafted : {};
      const name = choicesOf(view).find(({ id }) => id === option)?.name ?? '';
      return name !== '' && name.length <= longestLabel ? safe(name) : 'answer';
    },
    description: 'answer with the chosen option, and with the typed text if the option takes text',
    group: 'Decide',
    inLines: { word: 'answer' },
    footer: 1,
    available: (view) => {
      if (planGateOf(view)?.side === 'tasks') return true;
      const drafted = drafts(view);
      return drafted.kind === 'not-yet' ? drafted.why : true;
    },
    run: (view) => (planGateOf(view)?.side === 'tasks' ? [turnSide(view)] : answer(view)),
  },
  {
    id: 'answer.side',
    context: 'answer',
    keys: ['tab'],
    label: (view) => (planGateOf(view)?.side === 'tasks' ? 'decide' : 'tasks'),
    description: 'at the plan gate: switch between the tasks and the decision',
    group: 'Decide',
    inLines: { instead: '`ralph-tui tasks` and the files of the plan show what you are deciding on' },
    footer: 2,
    available: (view) => (planGateOf(view) === null ? 'Only at the plan gate' : true),
    // Beside Enter, which says the same there.
    offered: (view) => planGateOf(view)?.side !== 'tasks',
    run: (view) => [turnSide(view)],
  },
  {
    id: 'answer.edit-plan',
    context: 'answer',
    keys: ['ctrl-g'],
    label: 'edit the plan',
    description: 'at the plan gate: edit the plan as plan.yaml in $EDITOR',
    group: 'Decide',
    inLines: { instead: 'edit the files of the plan, then answer' },
    footer: 4,
    available: (view) => (planGateOf(view) !== null ? true : 'Only at the plan gate'),
    run: (view) => [terminal({ type: 'edit-plan', text: planToEdit(view) })],
  },
  {
    id: 'answer.rehearse',
    context: 'answer',
    keys: ['ctrl-t'],
    label: 'check',
    description:
      'at the plan gate: try set-up, checks and push in a worktree that is thrown away (asks first)',
    group: 'Decide',
    inLines: { instead: '`ralph-tui run --plan FILE --rehearse` tries a plan before it is started' },
    footer: 5,
    available: (view) => (planGateOf(view) !== null ? true : 'Only at the plan gate'),
    offered: (view) => planGateOf(view) !== null,
    run: () => [perform({ type: 'rehearse' })],
  },
  {
    id: 'answer.resolve',
    context: 'answer',
    keys: ['ctrl-o'],
    label: 'resolve in the editor',
    description:
      'in a merge conflict: open its files in $EDITOR with both sides marked, then select "edited"',
    group: 'Decide',
    inLines: { instead: 'edit the files in the directory that the question names, then answer `edited`' },
    footer: 2,
    available: (view) => (conflictToEdit(view).length > 0 ? true : 'Only at a merge conflict'),
    offered: (view) => conflictToEdit(view).length > 0,
    run: (view) => {
      const [path, ...also] = conflictToEdit(view);
      const edited = editedChoice(view);
      // Back from the editor, Enter says what was done there.
      const chosen = edited < 0 ? [] : [act({ type: 'overlay-pointed', item: edited })];
      return path === undefined ? [] : [...chosen, terminal({ type: 'open', path, also })];
    },
  },
  ...choiceNames.map(choosing),
];

/** Cells of a choice in the footer at most. */
const longestLabel = 16;

/** Chooses; where no words go with any choice it also answers. */
function choosing(name: string, index: number): Command {
  return {
    id: `answer.${name}`,
    context: 'answer-choice',
    keys: [String(index + 1)],
    label: (view) => safe(choicesOf(view)[index]?.name ?? `choice ${index + 1}`),
    description: `choose the ${name} answer and send it, unless it takes a message`,
    group: 'Decide',
    inLines: { instead: '`answer REQUEST --option OPTION "WORDS"` chooses by name' },
    available: (view) => (choicesOf(view)[index] === undefined ? 'This question has no such choice' : true),
    run: (view) => {
      const turned = planGateOf(view)?.side === 'tasks' ? [turnSide(view)] : [];
      return takesText(questionOf(view))
        ? [...turned, act({ type: 'overlay-pointed', item: index })]
        : answer(view, index);
    },
  };
}

const questionOf = (view: ViewState): ReturnType<typeof selectQuestion> => {
  const overlay = view.ui.overlays.at(-1);
  return overlay?.kind === 'answer' ? selectQuestion(view.session, overlay.request) : null;
};

const choicesOf = (view: ViewState): ReturnType<typeof selectChoices> => selectChoices(questionOf(view));

/** Gives the keys at the gate of the plan to the other side. */
const turnSide = (view: ViewState): CommandEffect =>
  act({ type: 'plan-read', side: planGateOf(view)?.side === 'tasks' ? 'options' : 'tasks' });

/** `at`: another choice than the one under the cursor. */
const answer = (view: ViewState, at?: number): readonly CommandEffect[] => {
  const overlay = view.ui.overlays.at(-1);
  if (overlay?.kind !== 'answer') return [];
  const drafted = drafts(view, at);
  if (drafted.kind === 'not-yet') return [];
  if (drafted.kind === 'choose') return [act({ type: 'overlay-pointed', item: drafted.cursor })];
  const { kind: _, ...content } = drafted;
  const signal = { type: 'ANSWER', target: 'ALL', request: overlay.request, ...content } as const;
  const written = [overlay.request, ...(planGateOf(view) === null ? [] : planDrafts(view))]
    .filter((what) => view.ui.drafts[what] !== undefined)
    .map(forgotten);
  // The review of the plan below is answered by the same verdict.
  const below = view.ui.overlays.at(-2)?.kind === 'plan-review' ? [act({ type: 'overlay-closed' })] : [];
  return [
    act({ type: 'overlay-closed', sent: drafted.message ?? '' }),
    ...below,
    perform(publish(view, signal)),
    needAnswered,
    ...written,
  ];
};

const drafts = (view: ViewState, at?: number): DraftedAnswer => {
  const overlay = view.ui.overlays.at(-1);
  if (overlay?.kind !== 'answer') return { kind: 'not-yet', why: 'No question is open' };
  const editor = planGateOf(view) === null ? overlay.editor : createEditor(planFeedback(view));
  return draftedAnswer(selectQuestion(view.session, overlay.request), {
    cursor: at ?? overlay.cursor,
    editor,
  });
};

/** Comments that were sent are no drafts any more. */
const forgotten = (request: string): CommandEffect => act({ type: 'drafted', what: request, text: '' });
