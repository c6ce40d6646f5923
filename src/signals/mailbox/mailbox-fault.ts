import { DiskError } from '../../base/disk.ts';
import { diskReason } from '../../base/disk-reason.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';

/** The sentence for a failed system call of the mailbox. */
const diskFault = (error: DiskError, what: string): Fault => {
  const { clause, hint } = diskReason(error);
  return { code: 'mailbox-disk', what: `${what}: ${clause}`, where: safe(placeOf(error.path)), hint };
};

/** The path from the mailbox on: it belongs to this session, and a screen has little space. Omits temporary names, which mean nothing to people. */
const placeOf = (path: string): string =>
  path.replace(/^.*\/(?=signals(?:\/|$))/s, '').replace(/^(signals\/tmp)\/.*$/s, '$1');

/** Runs one operation of the mailbox. A failed system call becomes a `FaultError` with one sentence. */
export const explained = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof DiskError) throw new FaultError(diskFault(error, what));
    throw error;
  }
};

/** Like `explained`, for operations that return their fault. Rethrows any other error, because it is a bug. */
export const orFault = <T>(what: string, run: () => T): T | Fault => {
  try {
    return run();
  } catch (error) {
    if (error instanceof DiskError) return diskFault(error, what);
    throw error;
  }
};
