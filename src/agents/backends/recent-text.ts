/** Keeps the end of a long text that arrives in pieces: at least the last `limit` characters. Does not copy the kept text for every piece. */
export const createRecentText = (limit: number) => {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  return {
    add: (bytes: Uint8Array): void => {
      const piece = decoder.decode(bytes, { stream: true });
      pieces.push(piece);
      length += piece.length;
      for (let first = pieces[0]; first !== undefined && length - first.length >= limit; first = pieces[0]) {
        pieces.shift();
        length -= first.length;
      }
    },
    text: (): string => pieces.join(''),
  };
};
