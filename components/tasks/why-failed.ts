import { failureLines } from '../../src/base/failure-line.ts';
import { safe } from '../../src/base/safe.ts';
import type { TaskState } from '../../src/pipeline/state.ts';
import { failureWords } from '../../src/words/events/failure-words.ts';
import type { ViewState } from '../view.ts';
import { outputKey } from './output-key.ts';

/** Why the last attempt of a task failed. */
export interface WhyFailed {
  /** The command that failed; '' where no command did. */
  readonly command: string;
  /** How it ended and what it said. */
  readonly verdict: string;
  /** The lines of its output that name what failed, else its last ones; none that the verdict quotes. */
  readonly tail: readonly string[];
}

const tailLines = 3;

/** Lines of the output in which what failed is looked for. */
const searchedLines = 400;

export const whyFailed = ({ output }: Pick<ViewState, 'output'>, task: TaskState): WhyFailed => {
  const log = output.logs.get(outputKey(task.definition.id, task.attempt));
  const printed = (log?.lines ?? []).filter((entry) => entry.kind === 'text' && entry.text.trim() !== '');
  // Leaves out the command, which stands beside it: otherwise its message could be cut off.
  const { brief: verdict } = failureWords(task.reason ?? 'no reason was given', task.cause);
  // A verdict may quote the last output: shows it once.
  const isTold = (text: string): boolean => verdict.includes(text.trim()) || text.endsWith(verdict);
  const texts = printed.slice(-searchedLines).map((entry) => entry.text);
  const named = failureLines(
    texts.filter((text) => !isTold(text)),
    tailLines,
  );
  return {
    command: safe(task.cause?.command?.text ?? ''),
    verdict,
    tail: named.length > 0 ? named : texts.slice(-tailLines).filter((text) => !isTold(text)),
  };
};
