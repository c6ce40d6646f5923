import type { TestTerminal } from './terminal.ts';

/** The end of Details holds what the header leaves out: it comes to say these words. */
export const saysInDetails = async (terminal: TestTerminal, words: string): Promise<void> => {
  terminal.press('3');
  await terminal.waitFor('[3 Details]');
  terminal.press('G');
  await terminal.waitFor(words);
};
