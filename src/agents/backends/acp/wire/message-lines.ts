import { joinBytes } from '../../../../base/bytes.ts';
/** The most bytes of one message. A tool's result is in one, and may hold a whole file. */
export const largestMessage = 33_554_432;

interface MessageLines {
  /** Receives each message as a whole line. */
  readonly message: (text: string) => void;
  /** Receives all that is no message, in pieces. */
  readonly noise: (bytes: Uint8Array) => void;
  /** A message is larger than `largestMessage`. What was read of it is dropped. */
  readonly tooLarge: () => void;
}

/**
 * Cuts an agent's stdout into messages, and sends all other bytes to `noise`: npm, a shell profile or a crash may print there. A message is a line
 * that begins with `{`. Noise of any length passes in pieces and is never buffered.
 */
export const createMessageLines = ({ message, noise, tooLarge }: MessageLines) => {
  const decoder = new TextDecoder();
  let inside: 'start' | 'message' | 'noise' = 'start';
  let held: Uint8Array[] = [];
  let size = 0;

  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size <= largestMessage) held.push(piece);
    else {
      held = [];
      tooLarge();
    }
  };
  const end = (): void => {
    if (size > 0 && size <= largestMessage) message(decoder.decode(joinBytes(held, size)));
    held = [];
    size = 0;
  };

  return (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(newline, at) + 1 || bytes.length;
      const piece = bytes.subarray(at, next);
      const isLast = bytes[next - 1] === newline;
      if (inside === 'start') inside = kindOf(piece);
      if (inside === 'noise') noise(piece);
      else keep(isLast ? piece : piece.slice());
      if (isLast) {
        if (inside === 'message') end();
        // A line of blanks is nothing.
        held = [];
        size = 0;
        inside = 'start';
      }
      at = next;
    }
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
