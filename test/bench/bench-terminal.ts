import pty from '@lydell/node-pty';
import { cleanEnvironment, programFile } from '../helpers/program.ts';

/** A program on a 200 × 50 pty whose bytes are only looked through, not drawn: an emulator would take the processor away from what is measured. */
export interface BenchTerminal {
  readonly pid: number;
  /** Bytes written since the start. */
  readonly written: () => number;
  /** Resolves once the text of the newest output, without its styles, matches. */
  readonly waitFor: (wanted: RegExp, timeout?: number) => Promise<void>;
  /** Presses a key; resolves with the milliseconds until the marked row is another one than the newest frame before it showed. */
  readonly pressAndSee: (key: string) => Promise<number>;
  /** Presses a key and resolves with the milliseconds until anything is written. */
  readonly pressAndHear: (key: string) => Promise<number>;
  /** Presses a key and resolves with the milliseconds until what is written from then on, without its styles, matches. */
  readonly pressUntil: (key: string, wanted: RegExp) => Promise<number>;
  readonly press: (keys: string) => void;
  /** Asks the program to end, waits, and makes sure. */
  readonly end: () => Promise<void>;
}

/** The built program with these arguments. */
export const openProgram = (args: readonly string[], cwd: string): BenchTerminal =>
  openBenchTerminal([programFile, ...args], cwd);

/** Any script that node runs. */
export const openBenchTerminal = (args: readonly string[], cwd: string): BenchTerminal => {
  const child = pty.spawn(process.execPath, [...args], {
    name: 'xterm-256color',
    cols: 200,
    rows: 50,
    cwd,
    env: cleanEnvironment({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }),
  });
  const watchers = new Set<() => void>();
  let written = 0;
  let recent = '';
  let marked = '';
  let ended = false;
  child.onData((data) => {
    written += data.length;
    recent = (recent + data).slice(-newest);
    for (const watcher of [...watchers]) watcher();
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
        finish(() => reject(new Error(`${why} while waiting for ${what}:\n${plain(recent).slice(-4_000)}`)));
      const look = (): void => {
        if (seen()) finish(resolve);
        else if (ended) fail('the program ended');
      };
      const timer = setTimeout(() => fail(`${timeout} ms passed`), timeout);
      watchers.add(look);
      look();
    });
  const timed = async (key: string, seen: () => boolean, what: string): Promise<number> => {
    recent = '';
    const start = performance.now();
    const done = until(seen, what);
    child.write(key);
    await done;
    return performance.now() - start;
  };
  return {
    pid: child.pid,
    written: () => written,
    waitFor: (wanted, timeout) => until(() => wanted.test(plain(recent)), String(wanted), timeout),
    pressAndSee: (key) => {
      // Where frames come by themselves, one that was drawn before the key shows the row that was marked all along: only another one answers it.
      const before = markedIn(recent) ?? marked;
      return timed(
        key,
        () => {
          const now = markedIn(recent);
          if (now === null || now === before) return false;
          marked = now;
          return true;
        },
        `a marked row other than ${before || 'none'}`,
      );
    },
    pressAndHear: (key) => timed(key, () => recent !== '', 'anything'),
    pressUntil: (key, wanted) => timed(key, () => wanted.test(plain(recent)), String(wanted)),
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

/** Characters kept of what was written: some frames. */
const newest = 64 * 1024;

const plain = (text: string): string =>
  text.replaceAll(/\u001b(?:\[[0-9;?<>=]*[a-zA-Z]|\][^\u0007]*\u0007)/g, '');

/** The task under the cursor in the newest of these frames that says so. */
const markedIn = (text: string): string | null =>
  [...plain(text).matchAll(/▌[^▌\r\n]{0,12}?\b(t\d+)\b/g)].at(-1)?.[1] ?? null;
