import { safe } from '../safe.ts';

/**
 * A command for a person to paste into a shell: every word stays one word, whatever an agent, a plan or a repository put into it, and what a terminal
 * would hide or obey is left out. All printed commands go through here.
 */
export const printedCommand = (...words: readonly string[]): string => shellWords(words.map(safe));

/** The command by which a person takes a branch into the one checked out. It leaves files alone that git ignores, where git can. */
export const mergeCommand = (branch: string): string =>
  printedCommand('git', 'merge', '--no-overwrite-ignore', branch);

/** Words as a shell takes them, in quotes where it needs them. */
export const shellWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
