/** A value of a JSON text with comments, and where it is: `start` and `end` are offsets in the text. */
export type JsoncNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'object'; readonly entries: readonly JsoncEntry[] }
  | { readonly kind: 'array'; readonly items: readonly JsoncItem[] }
  | { readonly kind: 'scalar'; readonly value: unknown }
);

export type JsoncObject = Extract<JsoncNode, { kind: 'object' }>;
export type JsoncArray = Extract<JsoncNode, { kind: 'array' }>;

/** A member of an array. `comma`: the offset of the comma after it, or `null`. */
export interface JsoncItem {
  readonly start: number;
  readonly value: JsoncNode;
  readonly comma: number | null;
}

/** A member of an object; `start` is that of its key. */
export interface JsoncEntry extends JsoncItem {
  readonly key: string;
}

/** Reads JSON with comments and trailing commas; `null` when the text is none. For edits that keep every other byte. */
export const parseJsonc = (text: string): JsoncNode | null => {
  const reader: Reader = { text, at: text.startsWith('\uFEFF') ? 1 : 0 };
  const root = readValue(reader, 0);
  skipBlank(reader);
  return root !== null && reader.at === text.length ? root : null;
};

interface Reader {
  readonly text: string;
  at: number;
}

/** Nobody nests settings deeper. */
const deepest = 100;

const readValue = (reader: Reader, depth: number): JsoncNode | null => {
  skipBlank(reader);
  if (depth > deepest) return null;
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth);
    case '[':
      return readArray(reader, depth);
    default:
      return readScalar(reader);
  }
};

const readObject = (reader: Reader, depth: number): JsoncNode | null => {
  const start = reader.at;
  const entries = readMembers(reader, '}', (): Omit<JsoncEntry, 'comma'> | null => {
    const key = readScalar(reader);
    if (key?.kind !== 'scalar' || typeof key.value !== 'string') return null;
    skipBlank(reader);
    if (reader.text[reader.at] !== ':') return null;
    reader.at += 1;
    const value = readValue(reader, depth + 1);
    return value && { key: key.value, start: key.start, value };
  });
  return entries && { kind: 'object', start, end: reader.at, entries };
};

const readArray = (reader: Reader, depth: number): JsoncNode | null => {
  const start = reader.at;
  const items = readMembers(reader, ']', (): Omit<JsoncItem, 'comma'> | null => {
    const value = readValue(reader, depth + 1);
    return value && { start: value.start, value };
  });
  return items && { kind: 'array', start, end: reader.at, items };
};

const readMembers = <T extends object>(
  reader: Reader,
  close: string,
  readMember: () => T | null,
): readonly (T & { readonly comma: number | null })[] | null => {
  const members: (T & { readonly comma: number | null })[] = [];
  reader.at += 1;
  for (let isOpen = true; ; ) {
    skipBlank(reader);
    if (reader.text[reader.at] === close) {
      reader.at += 1;
      return members;
    }
    const member = isOpen ? readMember() : null;
    if (member === null) return null;
    skipBlank(reader);
    isOpen = reader.text[reader.at] === ',';
    members.push({ ...member, comma: isOpen ? reader.at : null });
    if (isOpen) reader.at += 1;
  }
};

const scalar = /"(?:[^"\\\n\r]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

const readScalar = (reader: Reader): Extract<JsoncNode, { kind: 'scalar' }> | null => {
  const start = reader.at;
  scalar.lastIndex = start;
  const found = scalar.exec(reader.text)?.[0];
  if (found === undefined) return null;
  try {
    const value: unknown = JSON.parse(found);
    reader.at += found.length;
    return { kind: 'scalar', start, end: reader.at, value };
  } catch {
    // `1.2.3` and `"\x"` look like values and are none.
    return null;
  }
};

const blank = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

const skipBlank = (reader: Reader): void => {
  blank.lastIndex = reader.at;
  reader.at += blank.exec(reader.text)?.[0].length ?? 0;
};
