/** Messages that the other side has not acknowledged, in order. */
export interface Outbox {
  /** Keeps a message and returns its number. `output` may be dropped when the outbox is full; `facts` never. */
  add(body: unknown, kind: MessageKind): Kept;
  /** Forgets everything up to this number. */
  acknowledged(upTo: number): void;
  /** The kept messages above this number. */
  after(number: number): readonly Kept[];
  readonly size: () => number;
  /** The number of the newest message, 0 before the first. */
  readonly last: () => number;
}

/** `output` with the message that stands for it when it is dropped. */
export type MessageKind = 'fact' | { readonly output: unknown };

export interface Kept {
  readonly n: number;
  /** The message as JSON. */
  readonly text: string;
  /** Output: nobody waits for the next line. */
  readonly mayWait: boolean;
}

interface Entry extends Kept {
  /** The shorter text that may stand for it; `null`: it is never dropped. */
  readonly instead: string | null;
}

/**
 * Keeps up to `mostBytes` characters. Beyond that, output in the middle is replaced by a count of its bytes: the first lines and the newest ones stay, and so does
 * every number, so that the other side still receives one message for each.
 */
export const createOutbox = (mostBytes = 16 * 1_048_576): Outbox => {
  let entries: Entry[] = [];
  let bytes = 0;
  let last = 0;

  /** Replaces output, from the end of the first quarter on, until three quarters of the bound are left. */
  const makeRoom = (): void => {
    let head = 0;
    for (const [index, entry] of entries.entries()) {
      head += entry.text.length;
      const text = entry.instead;
      if (head <= mostBytes / 4 || text === null || text.length >= entry.text.length) continue;
      if (bytes <= (mostBytes * 3) / 4) return;
      bytes += text.length - entry.text.length;
      entries[index] = { n: entry.n, text, instead: null, mayWait: true };
    }
  };

  return {
    add: (body, kind) => {
      const text = JSON.stringify(body);
      last += 1;
      const instead = kind === 'fact' ? null : JSON.stringify(kind.output);
      const entry = { n: last, text, instead, mayWait: instead !== null };
      entries.push(entry);
      bytes += text.length;
      if (bytes > mostBytes) makeRoom();
      return entry;
    },
    acknowledged: (upTo) => {
      const kept = entries.filter(({ n }) => n > upTo);
      if (kept.length === entries.length) return;
      entries = kept;
      bytes = kept.reduce((sum, { text }) => sum + text.length, 0);
    },
    after: (number) => entries.filter(({ n }) => n > number),
    size: () => bytes,
    last: () => last,
  };
};
