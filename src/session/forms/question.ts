/** One choice of a question. Texts are safe to show. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** Of a finding. Findings of low severity are folded until somebody asks for them. */
  readonly severity?: 'critical' | 'high' | 'medium' | 'low' | null;
}

/**
 * A question to a person. `words`: one text, or numbers of `options`. `lines`: one text per line. `choice` and `choices`: one or several of `options`.
 * `approve`: yes or no about a document as it is shown.
 */
export interface Question<Id extends string = string> {
  /** Unique among the questions asked together. */
  readonly id: Id;
  readonly kind: 'words' | 'lines' | 'choice' | 'choices' | 'approve';
  readonly text: string;
  /** What the answer decides on, in lines; a line that begins with a blank belongs to the one above. */
  readonly about?: readonly string[];
  /** What helps to answer, in one or two sentences; '' without. */
  readonly help: string;
  readonly options: readonly Choice[];
  /** The answer that an empty one stands for, or ''. */
  readonly offered: string;
  /** An empty answer skips it. */
  readonly optional: boolean;
  /** What holds then, where that is not plain: `stays as stored`. */
  readonly skipped?: string;
}

/** Answers by the id of their question. Lines and several choices are joined by line breaks. */
export type Answers = Readonly<Record<string, string>>;

/** A question with what is usual left out. */
export const ask = <Id extends string>(
  id: Id,
  kind: Question['kind'],
  text: string,
  rest: Partial<Omit<Question, 'id' | 'kind' | 'text'>> = {},
): Question<Id> => ({
  id,
  kind,
  text,
  help: '',
  options: kind === 'approve' ? yesOrNo : [],
  offered: '',
  optional: false,
  ...rest,
});

const yesOrNo = [
  { id: 'yes', label: 'yes', detail: '' },
  { id: 'no', label: 'no', detail: '' },
];

/** The first question without an answer. */
export const firstOpen = <Id extends string>(
  questions: readonly Question<Id>[],
  answers: Answers,
): Question<Id> | null => questions.find(({ id }) => answers[id] === undefined) ?? null;

/** The lines of an answer, without empty ones. */
export const linesOf = (answer: string | undefined): readonly string[] =>
  (answer ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What typed text means as an answer, or the sentence why it means none. `-` is none of what is offered. */
export const readAnswer = (
  { kind, options, offered, optional }: Question,
  typed: string,
): { readonly answer: string } | { readonly wrong: string } => {
  const text = typed.trim() === '' ? offered : typed.trim();
  if (kind === 'approve') {
    if (/^(?:y(?:es)?|1)$/i.test(text)) return { answer: 'yes' };
    return /^(?:no?|2)$/i.test(text) ? { answer: 'no' } : { wrong: 'Answer yes or no.' };
  }
  if (text === '-' && optional) return { answer: '' };
  const noNumber = { wrong: `"${text}" is not a number from 1 to ${options.length}.` };
  if (kind === 'words' && options.length > 0 && /^\d{1,2}(?:[\s,]+\d{1,2})*$/.test(text)) {
    const ids = optionsIn(text.split(/[\s,]+/), options);
    return ids === null ? noNumber : { answer: ids.join('\n') };
  }
  if (kind === 'words' || kind === 'lines')
    return text === '' && !optional ? { wrong: 'An answer is required.' } : { answer: text };
  const picked = text.split(kind === 'choice' ? '\n' : /[\s,]+/).filter((each) => each !== '');
  if (picked.length === 0)
    return optional ? { answer: '' } : { wrong: `Choose a number from 1 to ${options.length}.` };
  const ids = optionsIn(picked, options);
  return ids === null || (kind === 'choice' && ids.length > 1)
    ? noNumber
    : { answer: [...new Set(ids)].join('\n') };
};

/** The ids of the options that words such as `1`, `3-5` or their own ids name, or `null` where one names none. */
const optionsIn = (words: readonly string[], options: readonly Choice[]): readonly string[] | null => {
  const ids = words.map((word): readonly string[] => {
    const [, first, last] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(word) ?? [];
    if (first !== undefined && Number(first) > 0 && Number(last ?? first) <= options.length) {
      const named = options.slice(Number(first) - 1, Number(last ?? first));
      if (named.length > 0) return named.map(({ id }) => id);
    }
    return options.some(({ id }) => id === word) ? [word] : [];
  });
  return ids.some((each) => each.length === 0) ? null : ids.flat();
};
