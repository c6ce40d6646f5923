import { closeSync, openSync } from 'node:fs';

/** The process that a shell waits for, while this one has its terminal. */
export interface Launcher {
  /**
   * Ends the launcher with this exit code: the shell has its terminal back, and this program goes on with `log` in place of it. Resolves when the
   * launcher is gone.
   */
  readonly letGo: (exitCode: number, log: string) => Promise<void>;
  /** Calls back when the launcher was killed: nobody gives this program its terminal any more. Returns the function that stops listening. */
  readonly whenGone: (listener: () => void) => () => void;
}

/** The launcher of this process, which has started it; `null` without the channel to it. */
export const launcherOf = (self: NodeJS.Process): Launcher | null => {
  if (self.send === undefined) return null;
  // The channel alone keeps nothing running.
  self.channel?.unref();
  return {
    letGo: async (exitCode, log) => {
      self.stdin.destroy();
      replaceStreams(log);
      await new Promise<void>((resolve) => {
        if (!self.connected) return resolve();
        self.channel?.ref();
        self.once('disconnect', resolve);
        self.send?.(exitCode, undefined, undefined, (error) => error !== null && resolve());
      });
    },
    whenGone: (listener) => {
      self.once('disconnect', listener);
      self.channel?.unref();
      return () => self.off('disconnect', listener);
    },
  };
};

/** Puts other files in place of the terminal. A new file gets the lowest free number, and between the two calls nothing else runs here. */
const replaceStreams = (log: string): void => {
  const files = [
    ['/dev/null', 'r'],
    [log, 'a'],
    [log, 'a'],
  ] as const;
  for (const [stream, [file, flags]] of files.entries()) {
    closeSync(stream);
    openSync(file, flags, 0o600);
  }
};
