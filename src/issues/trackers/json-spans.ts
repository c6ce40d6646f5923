/** Where a value is in a JSON text: `from` is its first character, `to` the one after its last. */
interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * The span of the value at a path in a text that `JSON.parse` accepts; `null` when there is none. Edits by spans keep every other byte. Of a key that is
 * written twice the last one counts, as for `JSON.parse`.
 */
export const jsonSpan = (text: string, path: readonly (string | number)[]): JsonSpan | null => {
  let from = skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0);
  for (const step of path) {
    const found = memberStarts(text, from).findLast(([key]) => key === step);
    if (found === undefined) return null;
    from = found[1];
  }
  return { from, to: valueEnd(text, from) };
};

/** Keys or indexes of a map or list with the start of each value; empty for a plain value. */
const memberStarts = (text: string, open: number): readonly (readonly [string | number, number])[] => {
  const isMap = text[open] === '{';
  if (!isMap && text[open] !== '[') return [];
  const members: (readonly [string | number, number])[] = [];
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | number = members.length;
    if (isMap) {
      const end = valueEnd(text, at);
      key = String(JSON.parse(text.slice(at, end)));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    members.push([key, at]);
    at = skipSpace(text, valueEnd(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
  return at;
};

/** The end of the value that begins here. Counts brackets, so that depth costs no stack. */
const valueEnd = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') at = stringEnd(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (depth === 0 && /[,\s:]/.test(character)) return at;
    else continue;
    if (depth === 0) return at + 1;
    if (depth < 0) return at;
  }
  return text.length;
};

const stringEnd = (text: string, quote: number): number => {
  let at = quote + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};
