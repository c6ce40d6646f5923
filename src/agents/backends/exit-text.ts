import type { ChildExit } from '../../base/spawn.ts';

/** How a process ended, as events and reports say it: `0`, `1`, `SIGKILL`, `timed out`, `not started: …`. */
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
