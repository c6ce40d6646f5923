import type { Cancel, Clock } from '../../base/clock.ts';

/** Lines of one side of a link as rows: those that are written together are one row. */
export interface RowWriter {
  /** Begins a connection: lines of the one before that still wait are forgotten. */
  connect(connection: number): void;
  /** `mayWait`: for other lines, up to a tenth of a second. */
  write(line: string, mayWait?: boolean): void;
  /** The connection is over on this side. */
  hangUp(): void;
  /** From now on rows go there; lines that waited are the first one. */
  begin(post: (n: number, body: Uint8Array) => void): void;
  /** Writes what waits now. */
  flush(): void;
  /** The same, and nothing after it. */
  close(): void;
}

/** A row as the other side wrote it. */
interface Row {
  /** The host counts the connections of a link; rows of an earlier one mean nothing. */
  readonly connection: number;
  /** None: the connection is over on that side. */
  readonly lines: readonly string[];
}

/** The connection of a runner that has just begun, and does not know which one the host is at. */
export const everyConnection = 0;
/** Characters of one row, unless a single line has more. */
const rowCharacters = 1_048_576;
/** Milliseconds for which lines that may wait are gathered: a commit with a notification takes a lock of the whole database. */
const patienceMs = 100;

/** `first`: the number of the first row. Numbers only increase. */
export const createRowWriter = (clock: Clock, first: number): RowWriter => {
  let lines: string[] = [];
  let post: ((n: number, body: Uint8Array) => void) | null = null;
  let cancel: Cancel | null = null;
  let isUrgent = false;
  let connection = 0;
  let n = first;

  const put = (together: readonly string[]): void => {
    post?.(n, Buffer.from([connection, ...together].join('\n')));
    n += 1;
  };

  const flush = (): void => {
    if (post === null) return;
    while (lines.length > 0) {
      let characters = lines[0]?.length ?? 0;
      let count = 1;
      while (count < lines.length && characters + (lines[count]?.length ?? 0) <= rowCharacters) {
        characters += lines[count]?.length ?? 0;
        count += 1;
      }
      put(lines.splice(0, count));
    }
  };

  return {
    connect: (next) => {
      connection = next;
      lines = [];
    },
    write: (line, mayWait = false) => {
      lines.push(line);
      if (cancel !== null && (isUrgent || mayWait)) return;
      cancel?.();
      isUrgent = !mayWait;
      // Everything of this turn goes together.
      cancel = clock.after(mayWait ? patienceMs : 0, () => {
        cancel = null;
        flush();
      });
    },
    hangUp: () => {
      lines = [];
      put([]);
    },
    begin: (to) => {
      post = to;
      flush();
    },
    flush,
    close: () => {
      flush();
      post = null;
    },
  };
};

/**
 * Reads the rows of the other side. `null`: one is missing, or was altered. The connection has to end then: the link sends what is in it again.
 */
export const createRowReader = (
  open: (n: number, body: Uint8Array) => Buffer | null,
): ((n: number, body: Uint8Array) => Row | null) => {
  let last = { n: 0, connection: -1 };
  return (n, body) => {
    const text = open(n, body);
    if (text === null) return null;
    const [first = '', ...lines] = text.toString().split('\n');
    const connection = Number(first);
    const isNext = connection !== last.connection || n === last.n + 1;
    last = { n, connection };
    return isNext ? { connection, lines } : null;
  };
};
