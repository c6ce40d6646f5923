/** Signals that ask the program to end: ctrl-c, `kill`, a closed window. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type SignalName = (typeof endSignals)[number] | 'SIGCONT' | 'SIGTSTP';

/** Milliseconds: a signal that ends, sent to the whole process group arrives twice, from the kernel and from the launcher, which passes its own on. */
const sameWithinMs = 100;

/**
 * Listens for signals of the operating system; the only place that does. Without a listener the first three end
 * the program at once. Returns the function that stops listening. The second arrival of one signal is neither heard nor ends the program.
 */
export const onProcessSignals = (
  names: readonly SignalName[],
  listener: (name: SignalName) => void,
): (() => void) => {
  const last = new Map<SignalName, number>();
  const leftOf = (name: SignalName): number =>
    (last.get(name) ?? Number.NEGATIVE_INFINITY) + sameWithinMs - performance.now();
  const ends: ReadonlySet<SignalName> = new Set(endSignals);
  const listeners = names.map((name) => ({
    name,
    heard: () => {
      if (leftOf(name) > 0) return;
      if (ends.has(name)) last.set(name, performance.now());
      listener(name);
    },
  }));
  for (const { name, heard } of listeners) process.on(name, heard);
  return () => {
    for (const { name, heard } of listeners) {
      if (leftOf(name) > 0) setTimeout(() => process.off(name, heard), leftOf(name)).unref();
      else process.off(name, heard);
    }
  };
};

/** Lets ctrl-c reach only the program that has the terminal now. Returns the function that restores the listeners. */
export const ignoreInterrupts = (): (() => void) => {
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => {};
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  return () => {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  };
};

/** Runs `stop` while SIGTSTP has its usual effect. */
export const withUsualStop = (stop: () => void): void => {
  const listeners = process.listeners('SIGTSTP');
  process.removeAllListeners('SIGTSTP');
  try {
    stop();
  } finally {
    for (const listener of listeners) process.on('SIGTSTP', listener);
  }
};
