/** Signals that ask the program to end: ctrl-c, `kill`, a closed window. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type SignalName = (typeof endSignals)[number] | 'SIGCONT' | 'SIGTSTP';

/**
 * Listens for signals of the operating system; the only place that does. Without a listener the first three end
 * the program at once. Returns the function that stops listening.
 */
export const onProcessSignals = (
  names: readonly SignalName[],
  listener: (name: SignalName) => void,
): (() => void) => {
  const listeners = names.map((name) => ({ name, heard: () => listener(name) }));
  for (const { name, heard } of listeners) process.on(name, heard);
  return () => {
    for (const { name, heard } of listeners) process.off(name, heard);
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
