import { FaultError } from '../../base/fault.ts';
import type { Core } from '../core.ts';

/** Reports a mailbox failure for one signal as a problem. The signal stays where it is, and the others continue. */
export const guarded = <T>(core: Core, work: () => T): T | null => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    core.problem(error.fault);
    return null;
  }
};
