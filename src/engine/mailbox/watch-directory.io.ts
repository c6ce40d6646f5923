import { existsSync } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';

/** Interval in milliseconds for checking whether a missing directory is back. */
const againMs = 500;

/**
 * Calls `onHint` when something changes in `directory` (not below it). Only a hint: the poll is the truth (src/signals/README.md, rule 13).
 * A watcher goes deaf when its directory is deleted and made again, so a new one replaces it. Returns a function that stops it.
 */
export const watchDirectory = (directory: string, onHint: () => void): (() => void) => {
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const close = (): void => {
    const old = watcher;
    watcher = null;
    old?.close().catch(() => undefined);
  };

  const again = (): void => {
    close();
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = null;
      begin();
    }, againMs);
    timer.unref();
  };

  const begin = (): void => {
    if (stopped) return;
    if (!existsSync(directory)) {
      again();
      return;
    }
    const current = watch(directory, { atomic: false, depth: 0, ignoreInitial: true, persistent: true });
    watcher = current;
    // At once: before it says what has changed, it reads the directory.
    current.on('raw', () => {
      if (!stopped) onHint();
    });
    current.on('all', (event, path) => {
      if (stopped) return;
      onHint();
      if (event === 'unlinkDir' && path === directory) again();
    });
    current.on('ready', () => {
      if (!stopped) onHint();
    });
    current.on('error', again);
  };

  begin();
  return () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    close();
  };
};
