/**
 * File names that are not valid UTF-8, kept as text. Each bad byte becomes a lone surrogate U+DC80..U+DCFF (PEP 383). Using the path turns the
 * surrogates back into the original bytes.
 */

/** With the `u` flag this matches lone surrogates only, never half of a pair. */
const escaped = /([\udc80-\udcff])/u;

/** The path for a system call: text, or bytes where the text contains escaped ones. */
export const encodePath = (path: string): string | Buffer => {
  if (!escaped.test(path)) return path;
  return Buffer.concat(
    path
      .split(escaped)
      .map((part, index) => (index % 2 === 1 ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part))),
  );
};

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};

/** The text of a name from a directory. */
export const decodeName = (bytes: Uint8Array): string => {
  const whole = decoded(bytes);
  if (whole !== null) return whole;
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => decoded(bytes.subarray(at, at + size)) !== null) ?? 0;
    text +=
      length > 0 ? decoded(bytes.subarray(at, at + length)) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += Math.max(1, length);
  }
  return text;
};
