import { DiskError } from '../base/disk.ts';
import { type Fault, FaultError } from '../base/fault.ts';
import { safe } from '../base/safe.ts';

/** The one sentence for a system call of the mailbox that failed. */
export const diskFault = (error: DiskError, what: string): Fault => {
  const { clause, mend } = reasons[error.code] ?? {
    clause: `${error.operation} failed with ${error.code}`,
    mend: 'check the disk',
  };
  return { code: 'mailbox-disk', what: `${what}: ${clause}`, where: safe(error.path), mend };
};

interface Reason {
  readonly clause: string;
  readonly mend: string;
}

const full: Reason = { clause: 'the disk is full', mend: 'free some space; nothing was lost' };
const forbidden: Reason = {
  clause: 'we may not write there',
  mend: 'make the directory ours and writable (chmod u+rwx); nothing was lost',
};
const gone: Reason = {
  clause: 'the file or its directory is gone',
  mend: 'bring the directory back or restart the session',
};

const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: { clause: 'the file system is read-only', mend: 'mount it writable; nothing was lost' },
  ENOENT: gone,
  ENOTDIR: gone,
  ELOOP: { clause: 'a symbolic link stands where a real file belongs', mend: 'remove the link' },
};

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
