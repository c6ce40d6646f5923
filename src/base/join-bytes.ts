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
