import { type Answers, firstOpen, type Question } from './question.ts';

/**
 * Questions of which each may follow from the answers before, and what they come to. Pure: the screen and lines ask the same form
 * (`components/form/form-view.ts`, `cli/ask-in-lines.ts`).
 */
export interface Form {
  /** Every question that applies after these answers, answered ones too. */
  readonly questions: (answers: Answers) => readonly Question[];
  /** Why an answer cannot be used, as a sentence for the person, or `null`. */
  readonly problem: (id: string, answer: string) => string | null;
  /** What the answers come to, in lines to confirm; `null` where nothing is left to confirm. */
  readonly result: (answers: Answers) => readonly ResultLine[] | null;
  /** Asked below the result. */
  readonly confirm: string;
  readonly verbs: { readonly confirm: string; readonly leave: string };
}

/** A line of what the answers come to; as a `warning`, one that a person should look at first. */
export type ResultLine = string | { readonly warning: string };

export const resultText = (line: ResultLine): string => (typeof line === 'string' ? line : line.warning);

/** Every answer that was not given, as it is offered. */
export const withOffered = ({ questions }: Form, answers: Answers): Answers => {
  let all = answers;
  for (;;) {
    const open = firstOpen(questions(all), all);
    if (open === null) return all;
    all = { ...all, [open.id]: open.offered };
  }
};
