import { fromJson } from '../../base/json.ts';

/** The JSON objects of a text, and the number of broken ones. */
interface FoundObjects {
  readonly values: readonly unknown[];
  readonly errors: number;
}

/**
 * Every JSON object in a text from an agent: one on each line, in an array, between prose, in a code fence, with trailing commas. Gives the outermost
 * objects, and the members of an array. Linear in the length of the text.
 */
export const findObjects = (text: string): FoundObjects => {
  const values: unknown[] = [];
  let errors = 0;
  const take = (piece: string): void => {
    const value = parseLenient(piece);
    if (value !== undefined) values.push(value);
    // Braces in prose (`{path}`) are no broken record.
    else if (piece.includes('"')) errors += 1;
  };
  const open = takeBalanced(text, take);
  if (open === null) return { values, errors };
  // An unclosed brace: read the rest line by line, so that one cut record does not spoil the others.
  for (const line of text.slice(open).split('\n')) {
    const start = takeBalanced(line, take);
    if (start !== null && line.includes('"', start)) errors += 1;
  }
  return { values, errors };
};

/**
 * Lines that say something outside of every object: in a file of records each is one that cannot be read. A list of records has brackets and commas there,
 * and prose stands around records in a code fence.
 */
export const strayLines = (text: string): number => {
  if (fromJson(text) !== undefined || /^\s*```/m.test(text)) return 0;
  let outside = '';
  let end = 0;
  const open = takeBalanced(text, (piece, at) => {
    outside += text.slice(end, at);
    end = at + piece.length;
  });
  outside += text.slice(end, open ?? text.length);
  return outside.split('\n').filter((line) => !/^[\s[\],]*$/.test(line) || fromJson(line) !== undefined)
    .length;
};

/** Passes each balanced `{…}` to `take`, with its place. Gives the offset of an unclosed one, or `null`. */
const takeBalanced = (text: string, take: (piece: string, at: number) => void): number | null => {
  let depth = 0;
  let start = 0;
  let inString = false;
  for (const match of text.matchAll(/\\.|["{}]/gs)) {
    const [mark] = match;
    if (depth > 0 && mark === '"') inString = !inString;
    else if (inString || mark.length > 1) continue;
    else if (mark === '{') {
      if (depth === 0) start = match.index;
      depth += 1;
    } else if (mark === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) take(text.slice(start, match.index + 1), start);
    }
  }
  return depth > 0 ? start : null;
};

/** Parses JSON, also with commas before a closing bracket. Gives `undefined` for anything else. */
const parseLenient = (piece: string): unknown => {
  const value = fromJson(piece);
  return value === undefined ? fromJson(withoutTrailingCommas(piece)) : value;
};

const withoutTrailingCommas = (piece: string): string =>
  piece.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/gs, (found) => (found === ',' ? '' : found));
