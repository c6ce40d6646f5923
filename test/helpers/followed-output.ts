import type { Readable } from 'node:stream';
import { limits } from './limits.ts';

export interface ProgramResult {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program prints, while it runs and when it has ended. */
export interface FollowedOutput {
  readonly output: () => string;
  /** Resolves with the output so far once it matches; rejects with it when the program ends or `timeout` ms pass. */
  readonly waitFor: (wanted: string | RegExp, timeout?: number) => Promise<string>;
  readonly done: Promise<ProgramResult>;
}

interface Streams {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

/** `end`: the exit code, or the name of the signal that ended it, once all is printed. */
export const followed = (streams: Streams, end: Promise<number | string>): FollowedOutput => {
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  streams.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tell();
  });
  streams.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    tell();
  });
  let ended: ProgramResult | null = null;
  const done = end.then((code) => {
    const result = { code, stdout, stderr };
    ended = result;
    tell();
    return result;
  });
  return {
    output: () => stdout + stderr,
    done,
    waitFor: (wanted, timeout: number = limits.wait) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          settle();
        };
        const explain = (why: string): Error =>
          new Error(
            `${why} while waiting for ${String(wanted)}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`,
          );
        const look = (): void => {
          const found = typeof wanted === 'string' ? stdout.includes(wanted) : wanted.test(stdout);
          if (found) finish(() => resolve(stdout));
          else if (ended) finish(() => reject(explain(`ended with ${ended?.code}`)));
        };
        const timer = setTimeout(() => finish(() => reject(explain(`${timeout} ms passed`))), timeout);
        watchers.add(look);
        look();
      }),
  };
};
