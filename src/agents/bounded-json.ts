import { fromJson } from '../base/json.ts';

/** Deeper values are no tool's input or result; walking them would exhaust the stack. */
export const deepestJson = 200;

/**
 * Parses JSON that an agent or another program wrote. `undefined` when it is not JSON, or nested deeper than `deepestJson`: everything that walks the
 * value later may recurse.
 */
export const boundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : fromJson(text));

/** Whether brackets outside of strings are nested deeper than `deepestJson`. Linear in the text, which need not be JSON. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > deepestJson) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return false;
};

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  34, 92, 91, 93, 123, 125,
] as const;

/** The place of the quote that ends the string, or the end of the text. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
};
