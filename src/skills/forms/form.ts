import type { Answers, Question } from '../../session/forms/question.ts';

/** A skill without a model: questions that follow from the answers so far, and the document that grows by them. Pure. */
export interface DocumentForm {
  /** Every question that applies after these answers, answered ones too. */
  readonly questions: (answers: Answers) => readonly Question[];
  readonly document: (answers: Answers) => string;
}

/** The id of the question that ends a form: keep or make it? */
export const approval = 'approve';
