/**
 * Sends a signal to the program that is started next in this process, and to nobody else here: Node tells it to the listeners that the program adds.
 * `apart` names the helper for what needs a process.
 */
export const signalsOfNext = (apart: string): ((signal: NodeJS.Signals) => void) => {
  const others = { SIGINT: process.listeners('SIGINT'), SIGTERM: process.listeners('SIGTERM') };
  return (signal) => {
    if (signal !== 'SIGINT' && signal !== 'SIGTERM')
      throw new Error(`${signal} would reach the tests: use ${apart}`);
    for (const listener of process.listeners(signal))
      if (!others[signal].includes(listener)) listener(signal);
  };
};
