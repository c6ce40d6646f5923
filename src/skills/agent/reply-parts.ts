import { z } from 'zod';

/** What an agent's reply holds beside its words. */
export interface ReplyParts {
  /** The reply without the blocks, for the person. */
  readonly words: string;
  /** The whole document that it hands in; `null` without one. The last one counts. */
  readonly document: string | null;
  readonly question: AgentQuestion | null;
  /** The words name what was expected, what was found and why it matters: the plan and the code differ. */
  readonly differs: boolean;
}

export interface AgentQuestion {
  readonly text: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly detail: string }[];
  readonly several: boolean;
}

const questionSchema = z.object({
  question: z.string().min(1),
  options: z
    .array(z.union([z.string(), z.object({ label: z.string(), detail: z.string().default('') })]))
    .max(20)
    .default([]),
  several: z.boolean().default(false),
});

interface Block {
  /** Its backticks. */
  readonly mark: string;
  readonly name: string;
  readonly lines: string[];
}

/** Cuts the blocks `document` and `ask` out of a reply. A block that is not closed ends with the reply; a question that cannot be read stays words. */
export const replyParts = (reply: string): ReplyParts => {
  const words: string[] = [];
  let document: string | null = null;
  let question: AgentQuestion | null = null;
  const state: { block: Block | null } = { block: null };
  const close = (): void => {
    const { block } = state;
    if (block === null) return;
    const text = block.lines.join('\n').trim();
    const asked = block.name === 'ask' ? questionIn(text) : null;
    if (block.name === 'document') document = text === '' ? document : `${text}\n`;
    else if (asked !== null) question = asked;
    else words.push(text);
    state.block = null;
  };
  for (const line of reply.split(/\r\n|\n|\r/)) {
    const [, mark = '', name = ''] = /^ {0,3}(`{3,})[ \t]*(document|ask)?[ \t]*$/.exec(line) ?? [];
    const open = state.block;
    if (open !== null && name === '' && mark.length >= open.mark.length) close();
    else if (open !== null) open.lines.push(line);
    else if (name !== '') state.block = { mark, name, lines: [] };
    else words.push(line);
  }
  close();
  const said = words.join('\n').trim();
  return { words: said, document, question, differs: namesDifference(said) };
};

const namesDifference = (words: string): boolean =>
  ['Expected', 'Found', 'Why'].every((word) =>
    new RegExp(`^[ \\t]*(?:[-*#]+[ \\t]+)?\\**${word}\\**[ \\t]*:`, 'm').test(words),
  );

const questionIn = (text: string): AgentQuestion | null => {
  const read = questionSchema.safeParse(jsonOf(text));
  if (!read.success) return null;
  const { question, options, several } = read.data;
  return {
    text: question,
    several,
    options: options.map((option, at) => ({
      id: String(at + 1),
      ...(typeof option === 'string' ? { label: option, detail: '' } : option),
    })),
  };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
