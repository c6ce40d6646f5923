import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { cleanEnvironment, programFile } from '../helpers/program.ts';
import { launchedBy } from '../helpers/terminal.ts';

/**
 * A program on a pty, 200 × 50 unless told. Frames hold only changed cells, so an emulator puts them together: some hundred bytes a frame take
 * no processor away from what is measured.
 */
export interface BenchTerminal {
  readonly pid: number;
  /** Bytes written since the start. */
  readonly written: () => number;
  /** Resolves once the text of the screen matches. */
  readonly waitFor: (wanted: RegExp, timeout?: number) => Promise<void>;
  /** Presses a key; resolves with the milliseconds until another row is marked. */
  readonly pressAndSee: (key: string) => Promise<number>;
  /** Presses a key and resolves with the milliseconds until anything is written. */
  readonly pressAndHear: (key: string) => Promise<number>;
  /** Presses a key and resolves with the milliseconds until the screen matches. */
  readonly pressUntil: (key: string, wanted: RegExp) => Promise<number>;
  readonly press: (keys: string) => void;
  /** Asks the program to end, waits, and makes sure. */
  readonly end: () => Promise<void>;
}

/** The built program with these arguments. */
export const openProgram = (args: readonly string[], cwd: string, size: Size = usual): BenchTerminal =>
  openBenchTerminal([programFile, ...args], cwd, size);

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

const usual: Size = { cols: 200, rows: 50 };

/** Any script that node runs. */
export const openBenchTerminal = (
  args: readonly string[],
  cwd: string,
  size: Size = usual,
): BenchTerminal => {
  const child = pty.spawn(process.execPath, [...args], {
    name: 'xterm-256color',
    ...size,
    cwd,
    env: cleanEnvironment({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }),
  });
  const watchers = new Set<() => void>();
  let written = 0;
  let ended = false;
  const emulator = new headless.Terminal({ ...size, allowProposedApi: true });
  const screen = (): string =>
    Array.from(
      { length: size.rows },
      (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? '',
    ).join('\n');
  child.onData((data) => {
    written += Buffer.byteLength(data);
    emulator.write(data, () => {
      for (const watcher of [...watchers]) watcher();
    });
  });
  const exit = new Promise<void>((resolve) => {
    child.onExit(() => {
      ended = true;
      for (const watcher of [...watchers]) watcher();
      resolve();
    });
  });
  const until = (seen: () => boolean, what: string, timeout = 30_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        watchers.delete(look);
        settle();
      };
      const fail = (why: string): void =>
        finish(() => reject(new Error(`${why} while waiting for ${what}:\n${screen()}`)));
      const look = (): void => {
        if (seen()) finish(resolve);
        else if (ended) fail('the program ended');
      };
      const timer = setTimeout(() => fail(`${timeout} ms passed`), timeout);
      watchers.add(look);
      look();
    });
  const timed = async (key: string, seen: () => boolean, what: string): Promise<number> => {
    const start = performance.now();
    const done = until(seen, what);
    child.write(key);
    await done;
    return performance.now() - start;
  };
  return {
    get pid() {
      return launchedBy(child.pid);
    },
    written: () => written,
    waitFor: (wanted, timeout) => until(() => wanted.test(screen()), String(wanted), timeout),
    pressAndSee: (key) => {
      const before = markedIn(screen());
      return timed(key, () => markedIn(screen()) !== before, `a marked row other than ${before ?? 'none'}`);
    },
    pressAndHear: (key) => {
      const before = written;
      return timed(key, () => written > before, 'anything');
    },
    pressUntil: (key, wanted) => timed(key, () => wanted.test(screen()), String(wanted)),
    press: (keys) => child.write(keys),
    end: async () => {
      if (ended) return;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exit;
      clearTimeout(late);
    },
  };
};

/** The task under the cursor. */
const markedIn = (text: string): string | null => /▌[^▌\n]{0,12}?\b(t\d+)\b/.exec(text)?.[1] ?? null;
