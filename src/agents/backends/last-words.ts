/**
 * The line of a program's errors to quote when it has ended: the last one with words. A stack trace is introduced by its error, so its
 * frames do not count. Empty where there is none.
 */
export const lastWords = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => !frame.test(line)) ?? lines.at(-1) ?? '';
};

/** A frame of a JavaScript stack, or of a Python or Go one. */
const frame = /^\s+(?:at \S|File "|\S+\.go:\d+)/;
