const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loose = new TextDecoder('utf-8');

/** Output of git as text. A byte that is not UTF-8 becomes a lone surrogate U+DC80..U+DCFF, as in the names of `Disk`. */
export const textOf = (bytes: Uint8Array): string => {
  try {
    return strict.decode(bytes);
  } catch {
    return escaped(bytes);
  }
};

/** Parts of output that git ended with NUL (`-z`). */
export const partsOf = (bytes: Uint8Array): readonly string[] => {
  const parts = textOf(bytes).split('\0');
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
};

/** Lines of output, without empty ones. */
export const linesOf = (bytes: Uint8Array): readonly string[] =>
  loose
    .decode(bytes)
    .split('\n')
    .filter((line) => line !== '');

/** Decodes line by line: only a line that is not UTF-8 is looked at byte by byte. */
const escaped = (bytes: Uint8Array): string => {
  const out: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, from);
    const end = found < 0 ? bytes.length : found + 1;
    out.push(escapedLine(bytes.subarray(from, end)));
    from = end;
  }
  return out.join('');
};

const lineFeed = 10;

const escapedLine = (bytes: Uint8Array): string => {
  const whole = decoded(bytes);
  if (whole !== null) return whole;
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const letter = decoded(bytes.subarray(at, at + size));
    text += letter ?? String.fromCharCode(0xdc00 + first);
    at += letter === null ? 1 : size;
  }
  return text;
};

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};
