import { z } from 'zod';
import { fromJson } from '../../base/json.ts';

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
  const cut = cutBlocks(reply.split(lineEnd));
  if (cut.open !== null) close(cut, cut.open);
  const said = cut.words.join('\n').trim();
  return { words: said, document: cut.document, question: cut.question, differs: namesDifference(said) };
};

/** The visible parts of a reply that still grows: the words outside of blocks, and the document so far. */
interface GrowingReply {
  readonly words: string;
  /** `null` before the first line of one. */
  readonly document: string | null;
  /** A block is open: what comes next is no words. */
  readonly inBlock: boolean;
}

/** The parts of a reply that still runs. A last line that may become the mark of a block is left out until it is whole. */
export const growingParts = (reply: string): GrowingReply => {
  const lines = reply.split(lineEnd);
  const mayMark = /^ {0,3}`/.test(lines.at(-1) ?? '');
  const cut = cutBlocks(mayMark ? lines.slice(0, -1) : lines);
  const { open, words } = cut;
  const grows = open?.name === 'document' && open.lines.length > 0;
  return {
    words: words.join('\n').trimStart(),
    document: grows ? open.lines.join('\n') : cut.document,
    inBlock: open !== null || mayMark,
  };
};

const lineEnd = /\r\n|\n|\r/;

interface Cut {
  readonly words: string[];
  document: string | null;
  question: AgentQuestion | null;
  /** The block that no line closed yet. */
  open: Block | null;
}

const cutBlocks = (lines: readonly string[]): Cut => {
  const cut: Cut = { words: [], document: null, question: null, open: null };
  for (const line of lines) {
    const [, mark = '', name = ''] = /^ {0,3}(`{3,})[ \t]*(document|ask)?[ \t]*$/.exec(line) ?? [];
    const { open } = cut;
    if (open !== null && name === '' && mark.length >= open.mark.length) close(cut, open);
    else if (open !== null) open.lines.push(line);
    else if (name !== '') cut.open = { mark, name, lines: [] };
    else cut.words.push(line);
  }
  return cut;
};

const close = (cut: Cut, block: Block): void => {
  const text = block.lines.join('\n').trim();
  const asked = block.name === 'ask' ? questionIn(text) : null;
  if (block.name === 'document') cut.document = text === '' ? cut.document : `${text}\n`;
  else if (asked !== null) cut.question = asked;
  else cut.words.push(text);
  cut.open = null;
};

const namesDifference = (words: string): boolean =>
  ['Expected', 'Found', 'Why'].every((word) =>
    new RegExp(`^[ \\t]*(?:[-*#]+[ \\t]+)?\\**${word}\\**[ \\t]*:`, 'm').test(words),
  );

const questionIn = (text: string): AgentQuestion | null => {
  const read = questionSchema.safeParse(fromJson(text));
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
