import { readFileSync } from 'node:fs';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { widthOf } from '../../src/words/width.ts';
import { limits } from './limits.ts';
import { cleanEnvironment, ofProcess, programFile, trusting } from './program.ts';
import { startInside } from './program-inside.ts';

/** The program on a real pty, its output drawn by a terminal emulator: what a person would see. */
export interface TestTerminal {
  /** The visible screen, one string a row, without trailing blanks. */
  readonly rows: () => readonly string[];
  /** The visible screen as one text. */
  readonly screen: () => string;
  /** The same, but a line that the terminal wrapped is one line: where it wraps depends on ids and paths. */
  readonly text: () => string;
  /** Resolves with the screen once it matches; rejects with the screen in the message. Driven by output, never by sleeping. */
  readonly waitFor: (
    wanted: string | RegExp | ((screen: string) => boolean),
    timeout?: number,
  ) => Promise<string>;
  /**
   * A named key (`enter`, `escape`, `ctrl-c`, `up`, …) or one character. Where the terminal does not mark pastes, throws at the third different key
   * without a word of the program in between: on a slow machine they would come in one read, and be a paste (`components/keys/paste.ts`).
   */
  readonly press: (key: string) => void;
  readonly type: (text: string) => void;
  /** As a bracketed paste. */
  readonly paste: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** Resolves when the program has ended: a test that removes its workspace meanwhile leaves half a session to the next one's picker. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
  /** The window is closed: the other end of the pty is gone, what is written to it fails, and the kernel sends SIGHUP. */
  readonly close: () => void;
  readonly pid: number;
  /** Every byte the program wrote. */
  readonly raw: () => string;
  /** What it wrote while a terminal would have echoed an answer; only of `openScreen`. */
  readonly cooked: () => string;
  /** True while the program shows the alternate screen. */
  readonly isAlternate: () => boolean;
  /** Column and row of the terminal's own cursor, from 0. */
  readonly cursor: () => { readonly x: number; readonly y: number };
  readonly isCursorShown: () => boolean;
  /** The column behind this text in a row. */
  readonly columnAfter: (row: number, text: string) => number;
  /** The exit code, or the signal number as a negative one. */
  readonly exit: Promise<number>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** False for a terminal that does not say whether it marks pastes, as old ones and tmux before 3.6. */
  readonly answersModes?: boolean;
  /** As in `ProgramOptions`. */
  readonly asked?: boolean;
}

const keys: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  backspace: '\u007f',
  space: ' ',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
};

const bytesOf = (key: string): string => {
  const named = keys[key];
  if (named !== undefined) return named;
  if (key.startsWith('ctrl-')) return String.fromCharCode(key.charCodeAt(5) & 0x1f);
  if (key.startsWith('alt-')) return `\u001b${key.slice(4)}`;
  return key;
};

/** The program at the other end of a terminal. */
export interface FarEnd {
  readonly pid: number;
  readonly write: (bytes: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly close: () => void;
}

interface Heard {
  /** `isRaw`: whether the program had set raw mode, where that is known. */
  readonly data: (text: string, isRaw?: boolean) => void;
  /** The exit code, or the signal number as a negative one. */
  readonly ended: (code: number) => void;
}

/** Starts the built program on a pseudo-terminal; the size is 100 × 30 unless told. */
export const openTerminal = (args: readonly string[], options: TerminalOptions): TestTerminal =>
  drawn(options, ({ cols, rows }, { data, ended }) => {
    const child = pty.spawn(process.execPath, [programFile, ...trusting(args, options)], {
      name: environment(options)['TERM'] ?? 'xterm-256color',
      cols,
      rows,
      cwd: options.cwd,
      env: environment(options),
    });
    child.onData(data);
    child.onExit(({ exitCode, signal }) => ended(signal ? -signal : exitCode));
    return {
      get pid() {
        return launchedBy(child.pid);
      },
      write: (bytes) => child.write(bytes),
      resize: (columns, height) => child.resize(columns, height),
      // What nobody can pass on reaches both, as from a shell that stops or ends its job.
      kill: (signal) => {
        if (unheard.has(signal)) signalGroup(child.pid, signal);
        else child.kill(signal);
      },
      close: () => {
        // The declarations leave it out.
        if ('destroy' in child && typeof child.destroy === 'function') child.destroy();
      },
    };
  });

const unheard: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGSTOP', 'SIGCONT']);

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
};

/** The process that runs the session: the child of the one that a shell waits for (`src/cli/launcher`), if it has one. */
export const launchedBy = (pid: number): number => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const same = children.find((child) =>
      readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(programFile),
    );
    return same === undefined ? pid : Number(same);
  } catch {
    return pid;
  }
};

/** The program as a job of an interactive shell on a pseudo-terminal, which has the terminal again when the program stops or ends. */
export const openInShell = (args: readonly string[], options: TerminalOptions): TestTerminal =>
  drawn(options, ({ cols, rows }, { data, ended }) => {
    const env = { ...environment(options), PS1: 'shell$ ', PROGRAM: process.execPath, MAIN: programFile };
    const child = pty.spawn('bash', ['--norc', '--noprofile', '-i'], {
      name: 'xterm-256color',
      cols,
      rows,
      cwd: options.cwd,
      env,
    });
    child.onData(data);
    child.onExit(({ exitCode, signal }) => ended(signal ? -signal : exitCode));
    child.write(`"$PROGRAM" "$MAIN" ${trusting(args, options).join(' ')}\r`);
    return {
      pid: child.pid,
      write: (bytes) => child.write(bytes),
      resize: (columns, height) => child.resize(columns, height),
      kill: (signal) => child.kill(signal),
      close: () => {},
    };
  });

/**
 * The screen of the built program in this process: the same keys and the same bytes, for a third of the processor time of a program of its own. For
 * tests of what the screen says and what keys do. What a process, its signals and the kernel's terminal do is shown with `openTerminal`.
 */
export const openScreen = (args: readonly string[], options: TerminalOptions): TestTerminal => {
  for (const name of ofProcess)
    if (name in (options.env ?? {})) throw new Error(`${name} needs a process: use openTerminal`);
  return drawn(options, (size, heard) =>
    startInside(trusting(args, options), { ...size, cwd: options.cwd, env: environment(options) }, heard),
  );
};

const environment = ({ env }: TerminalOptions) =>
  cleanEnvironment({ TERM: 'xterm-256color', COLORTERM: 'truecolor', ...env });

/** What is written there, drawn by the emulator. */
const drawn = (
  options: TerminalOptions,
  start: (size: { readonly cols: number; readonly rows: number }, heard: Heard) => FarEnd,
): TestTerminal => {
  const size = { cols: options.columns ?? 100, rows: options.rows ?? 30 };
  const emulator = new headless.Terminal({ ...size, allowProposedApi: true, scrollback: 1000 });
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  let raw = '';
  let cooked = '';
  let isGone = false;
  /** Known once all that was written before the end is drawn. */
  let code: number | null = null;
  let unanswered: readonly string[] = [];
  let tellEnd: (code: number) => void = () => {};
  const exit = new Promise<number>((resolve) => {
    tellEnd = resolve;
  });
  const far = start(size, {
    data: (data, isRaw = true) => {
      raw += data;
      if (!isRaw) cooked += data;
      unanswered = [];
      emulator.write(data, tell);
    },
    ended: (how) => {
      isGone = true;
      emulator.write('', () => {
        code = how;
        tell();
        tellEnd(how);
      });
    },
  });
  // Queries of the program (cursor position, device attributes) are answered as a real terminal would.
  emulator.onData((answer) => {
    if (isGone || (options.answersModes === false && answer.endsWith('$y'))) return;
    far.write(answer);
  });
  const rows = (): readonly string[] => {
    const buffer = emulator.buffer.active;
    return Array.from({ length: emulator.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  const screen = (): string => rows().join('\n');
  const text = (): string => {
    const buffer = emulator.buffer.active;
    const line = (row: number) => buffer.getLine(buffer.baseY + row);
    return Array.from({ length: emulator.rows }, (_, row) => {
      const goesOn = line(row + 1)?.isWrapped === true;
      return `${line(row)?.translateToString(!goesOn) ?? ''}${goesOn ? '' : '\n'}`;
    }).join('');
  };
  return {
    rows,
    screen,
    text,
    waitFor: (wanted, timeout: number = limits.wait) =>
      new Promise((resolve, reject) => {
        const matches = (): boolean => {
          const now = screen();
          if (typeof wanted === 'string') return now.includes(wanted);
          return wanted instanceof RegExp ? wanted.test(now) : wanted(now);
        };
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          settle();
        };
        const explain = (why: string): Error =>
          new Error(`${why} while waiting for ${String(wanted)}; the screen is\n${screen()}`);
        const look = (): void => {
          // Half of a frame is no screen: nobody sees it, and what is not there yet is not gone.
          if (code === null && emulator.modes.synchronizedOutputMode) return;
          if (matches()) finish(() => resolve(screen()));
          else if (code !== null) finish(() => reject(explain(`the program ended with ${code}`)));
        };
        const timer = setTimeout(() => finish(() => reject(explain(`${timeout} ms passed`))), timeout);
        watchers.add(look);
        look();
      }),
    press: (key) => {
      unanswered = options.answersModes === false ? [...unanswered, key] : [];
      if (unanswered.length > 2 && new Set(unanswered).size > 1)
        throw new Error(
          `no person is that fast: ${unanswered.join(', ')} in one read are a paste; wait for what each does`,
        );
      far.write(bytesOf(key));
    },
    type: (text) => far.write(text),
    paste: (text) => far.write(`\u001b[200~${text}\u001b[201~`),
    resize: (columns, height) => {
      far.resize(columns, height);
      emulator.resize(columns, height);
    },
    kill: (signal) => {
      far.kill(signal);
      return exit.then(() => {});
    },
    close: far.close,
    get pid() {
      return far.pid;
    },
    raw: () => raw,
    cooked: () => cooked,
    isAlternate: () => emulator.buffer.active.type === 'alternate',
    cursor: () => ({ x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY }),
    isCursorShown: () => raw.lastIndexOf('\u001b[?25h') > raw.lastIndexOf('\u001b[?25l'),
    columnAfter: (row, text) => widthOf(rows()[row]?.split(text)[0] ?? '') + widthOf(text),
    exit,
  };
};
