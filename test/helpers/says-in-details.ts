import { paneKeys, tabTitle } from './pane-key.ts';
import type { TestTerminal } from './terminal.ts';

/** The end of Details holds what the header leaves out: it comes to say these words. */
export const saysInDetails = async (terminal: TestTerminal, words: string): Promise<void> => {
  for (const key of paneKeys('details')) terminal.press(key);
  await terminal.waitFor(`[${tabTitle('details')}]`);
  terminal.press('G');
  await terminal.waitFor(words);
};
