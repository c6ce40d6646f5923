import type { ThemeOptions } from '../../../components/draw/theme.ts';
import type { Cli } from '../cli.ts';

/** Asks the terminal for the colour of its background, and takes the answer out of the input. */
interface AskedGround {
  /** A read without the answer in it, which Ink would take for typed text. The start of an answer waits for its rest. */
  readonly take: (chunk: string) => string;
}

/**
 * OSC 11. Terminals that do not know it ignore it, and a few print its end: `\u001b7`, `\u001b8` and the erasing around it put the cursor back and
 * leave nothing.
 */
export const groundQuestion = '\u001b7\u001b]11;?\u001b\\\u001b8\u001b[K';

/** `rgb:` or `rgba:` with one to four hexadecimal digits a part, ended by BEL or ST. */
const answer =
  /\u001b\]11;(?:rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})[\da-f/]{0,5})?[^\u0007\u001b]{0,40}(?:\u0007|\u001b\\)/i;

const esc = '\u001b';

/** The end of a read that an answer may begin with. A lone Esc is a key. */
const begun = /\u001b\](?:1(?:1(?:;[^\u0007\u001b]{0,64}\u001b?)?)?)?$/;

/** Calls `onGround` once. Answers are taken out however late they come: on a slow line that may be long after the question. */
export const askGround = (onGround: (ground: ThemeOptions['background']) => void): AskedGround => {
  let held = '';
  let known = false;
  // A read that ended between Esc and the rest: the Esc passed as a key.
  let passed = '';
  return {
    take: (chunk) => {
      if (known) return chunk;
      const before = chunk.startsWith(']11;') ? passed : '';
      const text = held + before + chunk;
      passed = '';
      const found = answer.exec(text);
      if (found === null) {
        held = begun.exec(text)?.[0] ?? '';
        passed = text.endsWith(esc) && held === '' ? esc : '';
        return text.slice(before.length, text.length - held.length);
      }
      held = '';
      known = true;
      const ground = groundOf(found.slice(1));
      if (ground !== null) onGround(ground);
      return text.slice(before.length, found.index) + text.slice(found.index + found[0].length);
    },
  };
};

/** Whether the answer would change anything: not without colours, nor where a person chose light or dark. */
export const wantsGround = (env: Cli['env'], theme: string): boolean =>
  !env['NO_COLOR'] &&
  !['none', 'light', 'dark'].includes(theme) &&
  env['TERM'] !== 'linux' &&
  env['TERM'] !== 'dumb';

/** Light where dark text reads better on it than light text. */
const groundOf = (parts: readonly (string | undefined)[]): ThemeOptions['background'] | null => {
  const [red, green, blue] = parts.map((part) =>
    part === undefined ? null : Number.parseInt(part, 16) / (16 ** part.length - 1),
  );
  if (red === undefined || red === null || green === undefined || green === null) return null;
  if (blue === undefined || blue === null) return null;
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  // 0.179 is equally far from black and from white in contrast.
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.179 ? 'light' : 'dark';
};
