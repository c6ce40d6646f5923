import type { TestTerminal } from './terminal.ts';

/** Leaves a session that this terminal hosts, and gives the exit code: the session runs on. */
export const leaveRunning = async (terminal: TestTerminal): Promise<number> => {
  terminal.press('q');
  await terminal.waitFor('▌Pause and leave');
  terminal.press('up');
  await terminal.waitFor('▌Leave it running');
  terminal.press('enter');
  return terminal.exit;
};
