import { DiskError } from '../base/disk.ts';
import { diskReason } from '../base/disk-reason.ts';
import { type Fault, FaultError } from '../base/fault.ts';
import { safe } from '../base/safe.ts';

/** The one sentence for a system call of the mailbox that failed. */
export const diskFault = (error: DiskError, what: string): Fault => {
  const { clause, mend } = diskReason(error);
  return { code: 'mailbox-disk', what: `${what}: ${clause}`, where: safe(placeOf(error.path)), mend };
};

/** From the mailbox on: it is this session's, and a screen has no room for more in front of what is wrong. A temporary name says nothing to anybody. */
const placeOf = (path: string): string =>
  path.replace(/^.*\/(?=signals(?:\/|$))/s, '').replace(/^(signals\/tmp)\/.*$/s, '$1');

/** Runs one operation of the mailbox; a failed system call becomes a `FaultError` with one sentence. */
export const explained = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof DiskError) throw new FaultError(diskFault(error, what));
    throw error;
  }
};

/** The same for operations that give their fault as a value. What is no failed system call is a mistake of ours and is thrown on. */
export const orFault = <T>(what: string, run: () => T): T | Fault => {
  try {
    return run();
  } catch (error) {
    if (error instanceof DiskError) return diskFault(error, what);
    throw error;
  }
};
