import { choiceName, type QuestionKind, type QuestionOption, questionKinds } from './question-kinds.ts';
import type { Signal } from './signal.ts';

/** A question as far as its answers are checked against it. */
export interface Answerable {
  readonly request: string;
  readonly kind: QuestionKind;
  readonly options: readonly QuestionOption[];
}

/** The `action_taken` of an ANSWER that settled its question. */
export const answeredAction = 'the question is answered';

/** An answer that fits its question. `option`: the id of the choice, `null` for words alone. `words`: '' without any. */
export interface FittingAnswer {
  readonly option: string | null;
  readonly words: string;
}

/**
 * Checks an ANSWER against its question: the choice, or a sentence why it is none. Words that are the id of a choice are that choice. Other words are
 * an answer only where the kind takes them, or with a choice that takes them: a typing error must not start an attempt.
 */
export const checkAnswer = (
  { request, kind, options }: Answerable,
  { option, message }: Pick<Signal, 'option' | 'message'>,
): FittingAnswer | string => {
  const words = message?.trim() ?? '';
  const named = option ?? words;
  const chosen = choiceNamed(kind, options, named);
  if (option === undefined) {
    // With a choice that needs words, its id alone says too little.
    if (chosen !== undefined) return withWords({ request, kind }, chosen, '');
    if (questionKinds[kind].takesWords && words !== '') return { option: null, words };
  }
  if (chosen === undefined) return noChoice({ request, kind, options }, named);
  return withWords({ request, kind }, chosen, words);
};

/** The choice with this id, else the one that differs only in its case. */
export const choiceOf = <T extends QuestionOption>(options: readonly T[], id: string): T | undefined => {
  const wanted = id.trim();
  return (
    options.find((option) => option.id === wanted) ??
    options.find((option) => option.id.toLowerCase() === wanted.toLowerCase())
  );
};

/** The same, or the choice that people call so. */
export const choiceNamed = <T extends QuestionOption>(
  kind: QuestionKind,
  options: readonly T[],
  text: string,
): T | undefined =>
  choiceOf(options, text) ??
  options.find(({ id }) => choiceName(kind, id).toLowerCase() === text.trim().toLowerCase());

const withWords = (
  { request, kind }: Pick<Answerable, 'request' | 'kind'>,
  { id, words }: QuestionOption,
  given: string,
): FittingAnswer | string => {
  const name = choiceName(kind, id);
  if (given !== '' && words === undefined)
    return `"${request}" takes ${name} without a message; nothing was decided`;
  if (given === '' && words !== undefined && words !== 'may')
    return `"${request}" takes ${name} with ${words === 'file' ? 'the whole text' : 'your words'} as the message`;
  return { option: id, words: given };
};

const noChoice = ({ request, kind, options }: Answerable, named: string): string => {
  const nameOf = ({ id }: QuestionOption): string => choiceName(kind, id);
  const names = options.map(nameOf);
  const takers = options.filter(({ words }) => words === 'may' || words === 'must').map(nameOf);
  const shown = named.length > longestShown ? `${named.slice(0, longestShown)}…` : named;
  return [
    `"${request}" has no option "${shown}": it takes ${listOf(names)}`,
    ...(takers.length > 0 ? [`a message goes with ${listOf(takers)}`] : []),
  ].join('; ');
};

/** Characters of a wrong answer in its refusal. */
const longestShown = 80;

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
