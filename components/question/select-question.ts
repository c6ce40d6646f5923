import { safe } from '../../src/base/safe.ts';
import { type OpenQuestion, openQuestion } from '../../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { choiceNamed } from '../../src/signals/check-answer.ts';
import {
  choiceName,
  type QuestionOption,
  type QuestionRule,
  questionKinds,
} from '../../src/signals/question-kinds.ts';
import type { AnswerOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';

/** The open question with this request. `null` when it is settled or unknown. */
export const selectQuestion = (session: SessionState | null, request: string): OpenQuestion | null =>
  session && openQuestion(session, request);

/** What holds for this kind of question; `null` for a settled one. */
export const questionRule = (question: OpenQuestion | null): QuestionRule | null =>
  question && questionKinds[question.kind];

/** Who asks, of an agent's question: "english: gemini asks you". Else what kind of a question it is. */
export const questionTitle = ({ kind, task, agent }: OpenQuestion): string =>
  kind === 'ask' && agent !== null
    ? safe(`${task === null ? '' : `${task}: `}${agent} asks you`)
    : questionKinds[kind].title;

/** A choice by its name on the screen. */
interface Choice extends QuestionOption {
  readonly name: string;
}

/** The choices of the dialog. One whose message is a whole file has a key of its own. */
export const selectChoices = (question: OpenQuestion | null): readonly Choice[] =>
  question === null
    ? []
    : question.options
        .filter(({ words }) => words !== 'file')
        .map((option) => ({ ...option, name: choiceName(question.kind, option.id) }));

/** Whether the dialog has a field: words alone are an answer, or go with a choice. */
export const takesText = (question: OpenQuestion | null): boolean =>
  questionRule(question)?.takesWords !== false ||
  selectChoices(question).some(({ words }) => words !== undefined);

/** Whether a digit names a choice in the dialog on top: its field is empty, and words without a choice are no answer there. */
export const digitsChoose = ({ session, ui }: Pick<ViewState, 'session' | 'ui'>): boolean => {
  const top = ui.overlays.at(-1);
  if (top?.kind !== 'answer' || top.editor.text !== '') return false;
  return questionRule(selectQuestion(session, top.request))?.takesWords === false;
};

/** What Enter does in the dialog: it sends an answer, chooses the option that takes the typed words, or cannot yet do either. */
export type DraftedAnswer =
  | { readonly kind: 'answer'; readonly option?: string; readonly message?: string }
  | { readonly kind: 'choose'; readonly cursor: number; readonly name: string; readonly isNamed?: true }
  | { readonly kind: 'not-yet'; readonly why: string };

/**
 * Reads the dialog. Typed words that are no option go with the chosen option where it takes words. Else the first Enter only chooses the one that
 * does: a typing error must not start an attempt. The name of a choice that takes words is no message: it chooses that one, which then has the field.
 */
export const draftedAnswer = (
  question: OpenQuestion | null,
  { cursor, editor }: Pick<AnswerOverlay, 'cursor' | 'editor'>,
): DraftedAnswer => {
  if (question === null) return { kind: 'not-yet', why: 'The question is no longer open' };
  const choices = selectChoices(question);
  const chosen = choices[cursor];
  const typed = editor.text.trim();
  if (typed === '') return withoutWords(chosen);
  const { takesWords } = questionKinds[question.kind];
  const named = namedChoice(question, typed);
  const isAnswer = named?.words === undefined || (named.id === chosen?.id && named.words === 'may');
  if (named !== undefined && isAnswer) return { kind: 'answer', option: named.id };
  if (takesWords) return { kind: 'answer', message: typed };
  if (named !== undefined && named.id === chosen?.id) return withoutWords(chosen);
  if (named !== undefined) {
    const cursor = choices.findIndex(({ id }) => id === named.id);
    return { kind: 'choose', cursor, name: named.name, isNamed: true };
  }
  if (chosen?.words !== undefined) return { kind: 'answer', option: chosen.id, message: typed };
  const taker = choices.findIndex(({ words }) => words !== undefined);
  return taker < 0
    ? { kind: 'not-yet', why: 'This question takes no text: choose one of its options' }
    : { kind: 'choose', cursor: taker, name: choices[taker]?.name ?? '' };
};

/** The choice that the typed text names. */
export const namedChoice = (question: OpenQuestion | null, typed: string): Choice | undefined => {
  const choices = selectChoices(question);
  const named = question === null ? undefined : choiceNamed(question.kind, choices, typed);
  return named ?? (questionRule(question)?.takesWords === true ? numbered(choices, typed) : undefined);
};

/** A question of an agent has numbered choices: its number alone is a choice, with more behind it the answer is in words. */
const numbered = (choices: readonly Choice[], typed: string): Choice | undefined =>
  /^[1-9]$/.test(typed) ? choices[Number(typed) - 1] : undefined;

const withoutWords = (chosen: Choice | undefined): DraftedAnswer => {
  if (chosen === undefined) return { kind: 'not-yet', why: 'Type an answer first' };
  return chosen.words === 'must'
    ? { kind: 'not-yet', why: `Type the message that goes with ${chosen.name} first` }
    : { kind: 'answer', option: chosen.id };
};
