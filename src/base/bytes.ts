/** Pieces as one run of bytes. `length`: of all of them. A single piece is given back as it is. */
export const joinBytes = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

const beyondAscii = /[\u0080-\uffff]/;

/** The number of bytes of a text in UTF-8, without encoding it. */
export const utf8Length = (text: string): number => {
  let bytes = text.length;
  // Most output is ASCII, and it may be large.
  if (!beyondAscii.test(text)) return bytes;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Each half of a pair counts one unit and takes two of the pair's four bytes.
    if (code > 0x7f) bytes += code <= 0x7ff || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
};

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as text, or `null` where they are no UTF-8. UTF-16 of plain letters is valid UTF-8 with a NUL beside each, so NUL is no text either. */
export const plainText = (bytes: Uint8Array): string | null => {
  if (bytes.includes(0)) return null;
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};
