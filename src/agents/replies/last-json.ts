import { isTooDeep } from '../bounded-json.ts';

/** How far from the end to search for an answer, in characters, and how many places to try. */
const reach = 262_144;
const mostTries = 2_000;
const mostEnds = 20;

/**
 * The last JSON object in a program's output, with or without prose and code fences around it. Gives `undefined` if there is none, and the outermost
 * of nested objects. An object that is nested too deep is none. Accepts a comma before a closing bracket, because models write it.
 */
export const lastJson = (text: string): unknown => {
  const tail = text.slice(-reach);
  return objectIn(tail) ?? objectIn(withoutTrailingCommas(tail));
};

const objectIn = (text: string): unknown => {
  let tries = 0;
  let end = text.lastIndexOf('}');
  for (let ends = 0; end >= 0 && ends < mostEnds; ends += 1) {
    for (
      let at = text.indexOf('{');
      at >= 0 && at < end && tries < mostTries;
      at = text.indexOf('{', at + 1)
    ) {
      tries += 1;
      const whole = text.slice(at, end + 1);
      try {
        const value: unknown = JSON.parse(whole);
        return isTooDeep(whole) ? undefined : value;
      } catch {
        // Not the start of the last object: try the next brace.
      }
    }
    end = end === 0 ? -1 : text.lastIndexOf('}', end - 1);
  }
  return undefined;
};

/** Removes trailing commas, except inside strings. Works in one pass, because foreign text must not make it slow. */
const withoutTrailingCommas = (text: string): string => {
  const kept: string[] = [];
  let from = 0;
  let comma = -1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (isString) {
      if (letter === '\\') at += 1;
      else if (letter === '"' || letter === '\n') isString = false;
    } else if (letter === ',') comma = at;
    else if ((letter === '}' || letter === ']') && comma >= 0) {
      kept.push(text.slice(from, comma));
      from = comma + 1;
      comma = -1;
    } else if (!/\s/u.test(letter)) {
      isString = letter === '"';
      comma = -1;
    }
  }
  return `${kept.join('')}${text.slice(from)}`;
};
