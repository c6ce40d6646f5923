import { onProcessSignals } from './process-signals.ts';

/** The current owner of the prompt. */
export interface LineHolder {
  /** The next line follows when the promise resolves. */
  readonly line: (text: string) => Promise<void> | void;
  /** Called once at the end of the input, after the last line. */
  readonly ended?: () => void;
}

/**
 * Typed input as lines. The prompt changes owners while the program runs: a session stops, is resumed here, a
 * question comes between. A line typed meanwhile is meant for the next owner. So one reader lives as long as
 * the program, and a line is kept until an owner takes it. Nothing is read before it is asked for.
 */
export interface TypedLines {
  /** Passes lines to `holder`, kept ones first; one holder at a time. Returns the function that releases the prompt. */
  readonly hold: (holder: LineHolder) => () => void;
  /**
   * The line typed after `show` has printed a question. Earlier lines are no answer to it and stay. `null` for
   * the end of the input or ctrl-C.
   */
  readonly answer: (show: () => void) => Promise<string | null>;
  /** Stops reading lines: another reader takes keys from here on. Drops the kept lines, which are no keys. */
  readonly giveBack: () => void;
}

/** Most lines kept while one is handled. Further input stays with the sender. */
const mostWaiting = 1_000;

/** `ref` is of a terminal. */
type Input = NodeJS.ReadableStream & { readonly ref?: () => unknown };

export const createTypedLines = (stdin: Input): TypedLines => {
  let waiting: string[] = [];
  let holder: LineHolder | null = null;
  let asked: ((line: string | null) => void) | null = null;
  let isReading = false;
  let isOver = false;
  let isBusy = false;

  const take = (line: string): void => {
    if (asked !== null) {
      asked(line);
      return;
    }
    waiting.push(line);
    if (waiting.length >= mostWaiting) stdin.pause();
    void hand();
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    asked?.(null);
    void hand();
  };
  const splitter = createSplitter(take);
  const onData = (chunk: Buffer | string): void => splitter.push(chunk);
  const onEnd = (): void => {
    splitter.flush();
    end();
  };

  const read = (): void => {
    if (isOver) return;
    if (!isReading) {
      isReading = true;
      // A broken or closed stream never emits `end`.
      stdin.on('data', onData).on('end', onEnd).on('error', end).on('close', end);
    }
    // A screen that was open before has left a terminal that no longer keeps the program alive.
    stdin.ref?.();
    stdin.resume();
  };
  /** Stops reading without an owner, because reading keeps the program alive. */
  const rest = (): void => {
    if (isReading && holder === null && asked === null) stdin.pause();
  };

  const hand = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    // Deferred: the new owner first needs the function that releases the prompt.
    await null;
    try {
      let told: LineHolder | null = null;
      while (holder !== null && holder !== told) {
        const line = waiting.shift();
        if (line !== undefined) await holder.line(line);
        else if (isOver) {
          told = holder;
          holder.ended?.();
        } else break;
      }
    } finally {
      isBusy = false;
    }
    if (holder !== null) read();
  };

  return {
    hold: (next) => {
      holder = next;
      void hand();
      return () => {
        if (holder !== next) return;
        holder = null;
        rest();
      };
    },
    answer: async (show) => {
      read();
      // Two turns of the event loop, in which input that has already arrived is read.
      for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return new Promise((resolve) => {
        const no = (): void => settle(null);
        const ignoreSignals = onProcessSignals(['SIGINT'], no);
        const settle = (line: string | null): void => {
          ignoreSignals();
          asked = null;
          rest();
          resolve(line);
        };
        asked = settle;
        show();
        if (isOver) no();
        else read();
      });
    },
    giveBack: () => {
      if (isReading) stdin.off('data', onData).off('end', onEnd).off('error', end).off('close', end).pause();
      isReading = false;
      waiting = [];
    },
  };
};

/** Splits text into lines with any line ending. Pieces may be cut anywhere, even within a character. */
const createSplitter = (take: (line: string) => void) => {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  /** A CR was last: a following LF belongs to the same line ending. */
  let afterReturn = false;
  const split = (text: string): void => {
    if (text === '') return;
    const [first = '', ...more] = (afterReturn && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\n|\r/,
    );
    afterReturn = text.endsWith('\r');
    pieces.push(first);
    for (const part of more) {
      const line = pieces.join('');
      pieces = [part];
      take(line);
    }
  };
  return {
    push: (chunk: Buffer | string): void =>
      split(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    flush: (): void => {
      split(decoder.decode());
      const line = pieces.join('');
      pieces = [];
      if (line !== '') take(line);
    },
  };
};
