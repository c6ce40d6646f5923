import type { OpenQuestion } from '../pipeline/questions/open-questions.ts';
import { choiceName, type QuestionKind, type QuestionOption } from '../signals/question-kinds.ts';

/** The question in one line, with the task and the agent that asks. */
export const questionWords = ({ kind, text, task, agent }: OpenQuestion): string => {
  const asker = [...(task === null ? [] : [task]), ...(agent === null ? [] : [`(${agent})`])].join(' ');
  return kind === 'ask' && asker !== '' ? `${asker} asks: ${text}` : text;
};

/** The question alone, where there is no room for what explains it; of a form also the field that is asked for. */
export const shortQuestion = (text: string): string =>
  /^.*?\?(?=\s|$)(?: · (?:(?! · ).)+)?/s.exec(text)?.[0] ?? text;

/** ` (accept: the work is good; reject: …)`, and '' without options: where a question is a line of text. */
export const optionsWords = ({
  kind,
  options,
}: {
  readonly kind: QuestionKind;
  readonly options: readonly QuestionOption[];
}): string =>
  options.length === 0 ? '' : ` (${options.map((option) => optionWords(kind, option)).join('; ')})`;

/** "accept: the work is good". */
export const optionWords = (kind: QuestionKind, { id, label }: QuestionOption): string => {
  const name = choiceName(kind, id);
  return label === '' ? name : `${name}: ${label}`;
};
