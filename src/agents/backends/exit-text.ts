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

/** The same as a predicate: `exited with code 1`, `was ended by SIGKILL`. */
export const exitClause = (exit: ChildExit): string => {
  switch (exit.kind) {
    case 'exited':
      return `exited with code ${exit.code}`;
    case 'signalled':
      return `was ended by ${exit.signal}`;
    case 'timed-out':
      return 'timed out';
    case 'not-started':
      return `was not started: ${exit.reason}`;
  }
};
