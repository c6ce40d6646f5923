import type { OpenQuestion } from '../pipeline/questions/open-questions.ts';
import type { QuestionKind, QuestionOption } from '../signals/question-kinds.ts';

/** The question in one line, with the task and the agent that asks. */
export const questionWords = ({ kind, text, task, agent }: OpenQuestion): string => {
  const asker = [...(task === null ? [] : [task]), ...(agent === null ? [] : [`(${agent})`])].join(' ');
  return kind === 'ask' && asker !== '' ? `${asker} asks: ${text}` : text;
};

/** The question alone, where there is no room for what explains it; of a form also the field that is asked for. */
export const shortQuestion = (text: string): string =>
  /^.*?\?(?=\s|$)(?: · (?:(?! · ).)+)?/s.exec(text)?.[0] ?? text;

/** ` (accept: the work is good; reject: …)`, and '' without options: where a question is a line of text. */
export const optionsWords = (options: readonly QuestionOption[]): string =>
  options.length === 0
    ? ''
    : ` (${options.map(({ id, label }) => (label === '' ? id : `${id}: ${label}`)).join('; ')})`;

/** What a choice is called in a list of keys. The ids of the verdicts on a plan name what the review found, not what happens. */
export const choiceWord = (kind: QuestionKind, id: string): string =>
  (kind === 'plan-review' ? planVerdicts[id] : undefined) ?? id;

const planVerdicts: Readonly<Record<string, string>> = { minor: 'amend', major: 'redo' };
