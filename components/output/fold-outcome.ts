import { z } from 'zod';
import { fromJson } from '../../src/base/json.ts';
import { count } from '../../src/words/local-time.ts';
import type { Note } from '../../src/words/outcome-notes.ts';
import type { OutputLine, OutputLog } from './output-line.ts';

/** Lines of an answer that one line stands for. */
interface FoldedOutcome {
  /** Index of its first line. */
  readonly at: number;
  readonly lines: number;
  readonly note: Note;
}

/** How far from the end the answer is looked for, in lines. */
const mostLines = 400;

/**
 * The JSON object at the end of an agent's words, which is its answer to the engine, as one line for people; `null` where there is none, or where a
 * command printed it. The log file (`t`) keeps it as it was.
 */
export const foldOutcome = ({
  lines,
  dropped,
  isAgent,
}: Pick<OutputLog, 'lines' | 'dropped'> & { readonly isAgent: boolean }): FoldedOutcome | null => {
  const least = Math.max(0, lines.length - mostLines);
  const last = lines.findLastIndex((line, index) => index >= least && line.kind === 'text' && !isBlank(line));
  if (last < 0) return null;
  const end = textOf(lines[last]) === '```' ? last - 1 : last;
  if (!textOf(lines[end]).endsWith('}') || isPrinted({ lines, dropped, isAgent }, end)) return null;
  for (let at = end; at >= least && lines[at]?.kind === 'text'; at -= 1) {
    if (!textOf(lines[at]).startsWith('{')) continue;
    const note = noteOf(lines.slice(at, end + 1).map((line) => (line.kind === 'text' ? line.text : '')));
    if (note === null) continue;
    let first = end < last && /^```\w*$/u.test(textOf(lines[at - 1])) ? at - 1 : at;
    let until = last + 1;
    while (isBlank(lines[first - 1])) first -= 1;
    while (isBlank(lines[until])) until += 1;
    return { at: first, lines: until - first, note };
  }
  return null;
};

/** The line is the output of a command that is not the agent itself: a program that is an agent runs as the one command of its turn. */
const isPrinted = (
  { lines, dropped, isAgent }: Pick<OutputLog, 'lines' | 'dropped'> & { readonly isAgent: boolean },
  at: number,
): boolean => {
  const command = lines.slice(0, at).findLast(({ kind }) => kind === 'command');
  if (command?.kind !== 'command' || (isAgent && command.purpose === 'run')) return false;
  return command.until === null || command.until > dropped + at;
};

const textOf = (line: OutputLine | undefined): string => (line?.kind === 'text' ? line.text.trim() : '');

const isBlank = (line: OutputLine | undefined): boolean => line?.kind === 'text' && line.text.trim() === '';

const words = z.union([z.string().transform((text) => [text]), z.array(z.string())]);
const list = z.array(z.unknown()).optional().catch(undefined);

/** What people want to know of the answers of all roles. */
const answerSchema = z.object({
  status: z.string().optional().catch(undefined),
  verdict: z.string().optional().catch(undefined),
  assessment: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  summary: words.optional().catch(undefined),
  blockers: words.optional().catch(undefined),
  tasks: list,
  questions: list,
  items: list,
});

const noteOf = (text: readonly string[]): Note | null => {
  const { data } = answerSchema.safeParse(fromJson(text.join('\n')));
  if (!data) return null;
  const { status, verdict, assessment, title, summary = [], blockers = [], tasks, questions, items } = data;
  const word = verdict ?? status;
  const said = [...summary, ...blockers];
  const parts = [
    word ?? '',
    assessment ?? '',
    title ?? '',
    tasks ? count(tasks.length, 'task') : '',
    questions ? count(questions.length, 'question') : '',
    items ? count(items.length, 'document') : '',
    said[0] ?? '',
    said.length > 1 ? `and ${said.length - 1} more` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  return { text: `result: ${parts.join(' · ')}`, tone: isBad(word) ? 'bad' : 'plain' };
};

const isBad = (word: string | undefined): boolean =>
  word !== undefined && ['failed', 'blocked'].includes(word.toLowerCase());
