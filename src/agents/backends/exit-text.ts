import type { ChildExit } from '../../base/process/spawn.ts';

/** The end of a process as events and reports show it: `0`, `1`, `SIGKILL`, `timed out`, `not started: …`. */
export const exitText = (exit: ChildExit): string => {
  switch (exit.kind) {
    case 'exited':
      return String(exit.code);
    case 'signalled':
      return exit.signal;
    case 'timed-out':
      return 'timed out';
    case 'not-started':
      return `not started: ${exit.reason}`;
  }
};
