import type { Answers, TalkQuestion } from '../talk/question.ts';

/** A skill without a model: questions that follow from the answers so far, and the document that grows by them. Pure. */
export interface Form {
  /** The next question; `null` when nothing is left to ask. */
  readonly next: (answers: Answers) => TalkQuestion | null;
  readonly document: (answers: Answers) => string;
}

/** The id of the question that ends a form: keep or make it? */
export const approval = 'approve';

/** A question with what is usual left out. */
export const ask = (
  id: string,
  kind: TalkQuestion['kind'],
  text: string,
  rest: Partial<Omit<TalkQuestion, 'id' | 'kind' | 'text'>> = {},
): TalkQuestion => ({
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
export const firstOpen = (questions: readonly TalkQuestion[], answers: Answers): TalkQuestion | null =>
  questions.find(({ id }) => answers[id] === undefined) ?? null;
