/**
 * Passes the lines of an agent's stdout that may be messages, and sends all other bytes to `noise`: npm, a shell profile or a crash may print there.
 * A message begins with `{`. Noise of any length passes in pieces and is never buffered.
 */
export const createMessageLines = (noise: (bytes: Uint8Array) => void) => {
  let inside: 'start' | 'message' | 'noise' = 'start';

  return (bytes: Uint8Array): readonly Uint8Array[] => {
    const messages: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(newline, at) + 1 || bytes.length;
      const piece = bytes.subarray(at, end);
      if (inside === 'start') inside = kindOf(piece);
      if (inside === 'noise') noise(piece);
      else messages.push(piece);
      if (bytes[end - 1] === newline) inside = 'start';
      at = end;
    }
    return messages;
  };
};

const newline = 10;
const space = new Set([9, 10, 13, 32]);
const brace = 123;

/** `start`: only blanks so far. */
const kindOf = (piece: Uint8Array): 'start' | 'message' | 'noise' => {
  const first = piece.find((byte) => !space.has(byte));
  if (first === undefined) return 'start';
  return first === brace ? 'message' : 'noise';
};
