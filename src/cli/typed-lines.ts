/** Who holds the prompt. */
export interface LineHolder {
  /** The next line comes when this one is done with. */
  readonly line: (text: string) => Promise<void> | void;
  /** Nobody types any more: told once, behind the last line. */
  readonly ended?: () => void;
}

/**
 * What is typed, in lines. The prompt changes hands while the program runs (a session stops, is resumed here, a question comes in between), and what
 * is typed in such a moment is meant for whoever comes next. So there is one reader for the whole life of the program, and a line stays until
 * somebody has taken it. Nothing is read before it is asked for.
 */
export interface TypedLines {
  /** Hands over the lines, those first that nobody has taken; one holder at a time. The answer gives the prompt up. */
  readonly hold: (holder: LineHolder) => () => void;
  /** The line that is typed after `show` has put a question: what was typed before is no answer to it, and stays. `null`: the end of the input, or ctrl-C. */
  readonly answer: (show: () => void) => Promise<string | null>;
  /** From here on somebody else reads keys. Lines that nobody took are no keys: they go. */
  readonly giveBack: () => void;
}

/** Lines that are kept while one of them is being done; what comes then stays with whoever sends it. */
const mostWaiting = 1_000;

export const createTypedLines = (stdin: NodeJS.ReadableStream): TypedLines => {
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
      // A stream that broke or was closed never says `end`.
      stdin.on('data', onData).on('end', onEnd).on('error', end).on('close', end);
    }
    stdin.resume();
  };
  /** Reading keeps the program alive. */
  const rest = (): void => {
    if (isReading && holder === null && asked === null) stdin.pause();
  };

  const hand = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    // Never at once: who takes the prompt has first to know how to give it up.
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
      // Two turns of the event loop: what lies there already is read in between.
      for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return new Promise((resolve) => {
        const no = (): void => settle(null);
        const settle = (line: string | null): void => {
          process.off('SIGINT', no);
          asked = null;
          rest();
          resolve(line);
        };
        process.once('SIGINT', no);
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

/** Text in pieces of any length and at any place, a character cut in two included, as lines; they end as on any system. */
const createSplitter = (take: (line: string) => void) => {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  /** What follows a CR may be the other half of the same end. */
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
