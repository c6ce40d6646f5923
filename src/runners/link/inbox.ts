/** Messages of the other side, handed on in order and once each. */
export interface Inbox {
  /** The number of the last message that was handed on. */
  readonly received: () => number;
  /** Takes a message. `next`: it and those that waited for it were handed on; `early`: one before it is missing; `again`: it was here before. */
  take(n: number, body: unknown, characters: number): 'next' | 'early' | 'again';
  /** Messages wait for one that was overtaken. */
  readonly waits: () => boolean;
}

/** Messages, and characters of them, that may wait for one that was overtaken. More are dropped, and the link asks for them again. */
const mostEarly = { messages: 1_000, characters: 16 * 1_048_576 };

/** `deliver` never throws. */
export const createInbox = (deliver: (body: unknown) => void): Inbox => {
  let received = 0;
  const early = new Map<number, unknown>();
  /** The characters that the early messages came in. */
  let characters = 0;

  /** The other side may leave out a message for ever and send the ones behind it. */
  const keep = (n: number, body: unknown, more: number): void => {
    if (early.has(n) || early.size >= mostEarly.messages || characters + more > mostEarly.characters) return;
    early.set(n, body);
    characters += more;
  };

  return {
    received: () => received,
    take: (n, body, more) => {
      if (n > received + 1) {
        keep(n, body, more);
        return 'early';
      }
      if (n <= received) return 'again';
      early.set(n, body);
      for (let next = n; early.has(next); next += 1) {
        const message = early.get(next);
        early.delete(next);
        received = next;
        deliver(message);
      }
      if (early.size === 0) characters = 0;
      return 'next';
    },
    waits: () => early.size > 0,
  };
};
