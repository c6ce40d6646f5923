import { joinBytes } from '../../../../base/bytes.ts';
import { boundedJson } from '../../../bounded-json.ts';

/** The longest line that is read. A tool's result is in one line, and may hold a whole file. */
const longestLine = 33_554_432;

/**
 * Splits a stream into lines and parses each as JSON. A line that is not a JSON object goes to `broken` with its number, and so does what a line holds
 * beyond the longest one.
 */
export const createJsonLines = (
  line: (value: object) => void,
  broken: (bytes: Uint8Array, number: number) => void,
) => {
  let held: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  /** The line was given to `broken` in part already. */
  let isLost = false;

  const end = (): void => {
    const bytes = joinBytes(held, length);
    held = [];
    length = 0;
    const value = isLost ? undefined : objectIn(bytes);
    if (value !== undefined) line(value);
    else if (isLost || !isBlank(bytes)) broken(withNewline(bytes), number);
    isLost = false;
    number += 1;
  };

  return {
    take: (bytes: Uint8Array): void => {
      for (let at = 0; at < bytes.length; ) {
        const newline = bytes.indexOf(10, at);
        const piece = bytes.subarray(at, newline < 0 ? bytes.length : newline);
        held.push(piece.slice());
        length += piece.length;
        if (length > longestLine) {
          broken(joinBytes(held, length), number);
          held = [];
          length = 0;
          isLost = true;
        }
        if (newline < 0) return;
        end();
        at = newline + 1;
      }
    },
    /** The stream is over: what is left is its last line. */
    end: (): void => {
      if (length > 0 || isLost) end();
    },
  };
};

const objectIn = (bytes: Uint8Array): object | undefined => {
  const value = boundedJson(new TextDecoder().decode(bytes));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
};

const isBlank = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes).trim() === '';

const withNewline = (bytes: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(bytes.length + 1);
  whole.set(bytes);
  whole[bytes.length] = 10;
  return whole;
};
