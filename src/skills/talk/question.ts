import { z } from 'zod';

/** One choice of a question. */
const choiceSchema = z.object({ id: z.string(), label: z.string(), detail: z.string().default('') });

/**
 * A question to the person of a conversation. `words`: one text, or numbers of `options`. `lines`: a text a line. `choice` and `choices`: one or several of `options`. `approve`:
 * yes or no about the document as it is shown.
 */
export const talkQuestionSchema = z.object({
  /** Unique in its conversation. */
  id: z.string(),
  kind: z.enum(['words', 'lines', 'choice', 'choices', 'approve']),
  text: z.string(),
  /** What helps to answer, in one or two sentences; '' without. */
  help: z.string().default(''),
  options: z.array(choiceSchema).default([]),
  /** The answer that an empty one stands for, or ''. */
  offered: z.string().default(''),
  /** An empty answer skips it. */
  optional: z.boolean().default(false),
});
export type TalkQuestion = z.infer<typeof talkQuestionSchema>;

/** Answers by the id of their question. Lines and several choices are joined by line breaks; '' was skipped. */
export type Answers = Readonly<Record<string, string>>;

/** The lines of an answer, without empty ones. */
export const linesOf = (answer: string | undefined): readonly string[] =>
  (answer ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What typed text means as an answer, or the sentence why it means none. */
export const readAnswer = (
  { kind, options, offered, optional }: TalkQuestion,
  typed: string,
): { readonly answer: string } | { readonly wrong: string } => {
  const text = typed.trim() === '' ? offered : typed.trim();
  if (kind === 'approve') {
    if (/^(?:y(?:es)?|1)$/i.test(text)) return { answer: 'yes' };
    return /^(?:no?|2)$/i.test(text) ? { answer: 'no' } : { wrong: 'Answer yes or no.' };
  }
  const numbers = kind === 'words' && options.length > 0 ? numbered(options, text) : null;
  if (numbers === 'none') return { wrong: `"${text}" is no number from 1 to ${options.length}.` };
  if (numbers !== null) return { answer: numbers.join('\n') };
  if (kind === 'words' || kind === 'lines')
    return text === '' && !optional ? { wrong: 'This needs an answer.' } : { answer: text };
  const picked = text.split(kind === 'choice' ? '\n' : /[\s,]+/).filter((each) => each !== '');
  const ids = picked.map(
    (each) =>
      (/^\d{1,3}$/.test(each) ? options[Number(each) - 1]?.id : undefined) ??
      options.find(({ id }) => id === each)?.id,
  );
  if (ids.length === 0)
    return optional ? { answer: '' } : { wrong: `Choose a number from 1 to ${options.length}.` };
  return ids.every((id) => id !== undefined)
    ? { answer: [...new Set(ids)].join('\n') }
    : { wrong: `"${text}" is no number from 1 to ${options.length}.` };
};

/** The options that numbers name, `none` where one names none, and `null` for other words. */
const numbered = (options: TalkQuestion['options'], text: string): readonly string[] | 'none' | null => {
  if (!/^\d{1,2}(?:[\s,]+\d{1,2})*$/.test(text)) return null;
  const ids = text.split(/[\s,]+/).flatMap((each) => options[Number(each) - 1]?.id ?? []);
  return ids.length === text.split(/[\s,]+/).length ? ids : 'none';
};
