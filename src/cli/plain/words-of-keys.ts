import { type Command, labelOf } from '../../../components/command.ts';
import { commands } from '../../../components/commands.ts';
import { initialView } from '../../../components/create-store.ts';
import { verbs } from './verbs.ts';

/** A key's replacement in lines: a word of the prompt, or the reason why it has none. */
interface WordOfKey {
  readonly command: Command;
  readonly what: string;
  readonly word: string | null;
  readonly why: string;
}

/** Every command of the screen, each text once, with its word or the reason why it has none. */
export const wordsOfKeys = (): readonly WordOfKey[] => {
  const empty = initialView('stopped', true);
  return commands
    .map((command) => ({
      command,
      what: command.group === 'Move' ? `move: ${labelOf(command, empty)}` : command.description,
      word: usageOf(command),
      why: 'instead' in command.inLines ? command.inLines.instead : '',
    }))
    .filter(
      ({ what, word }, index, all) =>
        all.findIndex((one) => one.what === what && one.word === word) === index,
    );
};

/**
 * Rewrites a sentence of the screen for lines. `{session.resume}` becomes its word, or the command's id when it
 * has none. A hint for a key without a word is left out. A hint that only repeats its word becomes the word.
 */
export const withWords = (text: string): string =>
  text
    .split(' · ')
    .filter((part) => wordOf(/^\{([a-z-]+\.[a-z-]+)\}/.exec(part)?.[1]) !== null)
    .join(' · ')
    .replace(/\{([a-z-]+\.[a-z-]+)\}(?: ([a-z]+)\b)?/g, (_, id: string, label: string | undefined) => {
      const word = wordOf(id);
      const rest = label === undefined || label === word ? '' : ` ${label}`;
      return `${word ? `\`${word}\`` : id}${rest}`;
    });

/** The word for a command; `null` when it has none, `undefined` without an id. */
const wordOf = (id: string | undefined): string | null | undefined => {
  if (id === undefined) return undefined;
  const command = commands.find((one) => one.id === id);
  return command === undefined ? null : usageOf(command);
};

const usageOf = ({ inLines }: Command): string | null =>
  'word' in inLines ? verbs[inLines.word].usage : null;
