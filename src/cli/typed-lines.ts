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

interface State {
  readonly stdin: Input;
  readonly handlers: Handlers;
  waiting: string[];
  holder: LineHolder | null;
  /** Takes the answer to the question that is shown. */
  asked: ((line: string | null) => void) | null;
  isReading: boolean;
  /** The input has ended. */
  isOver: boolean;
  /** Lines are being handed to the owner. */
  isBusy: boolean;
}

/** What the input calls. */
interface Handlers {
  readonly data: (chunk: Buffer | string) => void;
  readonly end: () => void;
  readonly broken: () => void;
}

export const createTypedLines = (stdin: Input): TypedLines => {
  const splitter = createSplitter((line) => take(state, line));
  const state: State = {
    stdin,
    handlers: {
      data: splitter.push,
      end: () => {
        splitter.flush();
        end(state);
      },
      broken: () => end(state),
    },
    waiting: [],
    holder: null,
    asked: null,
    isReading: false,
    isOver: false,
    isBusy: false,
  };
  return {
    hold: (next) => {
      state.holder = next;
      void hand(state);
      return () => {
        if (state.holder !== next) return;
        state.holder = null;
        rest(state);
      };
    },
    answer: (show) => answer(state, show),
    giveBack: () => {
      if (state.isReading) ignore(state);
      state.isReading = false;
      state.waiting = [];
    },
  };
};

const take = (state: State, line: string): void => {
  if (state.asked !== null) {
    state.asked(line);
    return;
  }
  state.waiting.push(line);
  if (state.waiting.length >= mostWaiting) state.stdin.pause();
  void hand(state);
};

const end = (state: State): void => {
  if (state.isOver) return;
  state.isOver = true;
  state.asked?.(null);
  void hand(state);
};

const hand = async (state: State): Promise<void> => {
  if (state.isBusy) return;
  state.isBusy = true;
  // Deferred: the new owner first needs the function that releases the prompt.
  await null;
  try {
    let told: LineHolder | null = null;
    while (state.holder !== null && state.holder !== told) {
      const line = state.waiting.shift();
      if (line !== undefined) await state.holder.line(line);
      else if (state.isOver) {
        told = state.holder;
        state.holder.ended?.();
      } else break;
    }
  } finally {
    state.isBusy = false;
  }
  if (state.holder !== null) read(state);
};

const answer = async (state: State, show: () => void): Promise<string | null> => {
  read(state);
  // Two turns of the event loop, in which input that has already arrived is read.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const no = (): void => settle(null);
    const ignoreSignals = onProcessSignals(['SIGINT'], no);
    const settle = (line: string | null): void => {
      ignoreSignals();
      state.asked = null;
      rest(state);
      resolve(line);
    };
    state.asked = settle;
    show();
    if (state.isOver) no();
    else read(state);
  });
};

const read = (state: State): void => {
  const { stdin, handlers } = state;
  if (state.isOver) return;
  if (!state.isReading) {
    state.isReading = true;
    const { data, end, broken } = handlers;
    // A broken or closed stream never emits `end`.
    stdin.on('data', data).on('end', end).on('error', broken).on('close', broken);
  }
  // A screen that was open before has left a terminal that no longer keeps the program alive.
  stdin.ref?.();
  stdin.resume();
};

/** Stops reading without an owner, because reading keeps the program alive. */
const rest = ({ stdin, isReading, holder, asked }: State): void => {
  if (isReading && holder === null && asked === null) stdin.pause();
};

const ignore = ({ stdin, handlers }: State): void => {
  const { data, end, broken } = handlers;
  stdin.off('data', data).off('end', end).off('error', broken).off('close', broken).pause();
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
