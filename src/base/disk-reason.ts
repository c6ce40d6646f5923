import type { DiskError } from './disk.ts';

/** Explains a failed system call to people: a clause, and a hint about the remedy. */
interface DiskReason {
  /** Kebab-case, for `Fault.code`. */
  readonly code: string;
  readonly clause: string;
  readonly hint: string;
}

/** `EFBIG` is a limit on the size of files (`ulimit -f`). For the user it amounts to a full disk. */
export const diskReason = (error: DiskError): DiskReason =>
  (reading.has(error.operation) ? ofReading[error.code] : undefined) ??
  reasons[error.code] ?? {
    code: 'disk-failed',
    clause: `${error.operation} failed with ${error.code}`,
    hint: 'check the disk',
  };

const reading: ReadonlySet<string> = new Set(['open-read', 'read', 'readdir', 'lstat']);
const hidden: DiskReason = {
  code: 'disk-unreadable',
  clause: 'this account is not allowed to read it',
  hint: 'give this account permission to read it',
};

const special: DiskReason = {
  code: 'not-a-file',
  clause: 'it is not a regular file',
  hint: 'remove it, or put a file in its place',
};

/** The meaning of an error code when the failed operation only reads. */
const ofReading: Readonly<Record<string, DiskReason>> = {
  EACCES: hidden,
  EPERM: hidden,
  EINVAL: special,
  EISDIR: special,
  EFBIG: {
    code: 'too-large',
    clause: 'it is too large to read',
    hint: 'open it with another program, or make it smaller',
  },
};

const full: DiskReason = {
  code: 'disk-full',
  clause: 'the disk is full',
  hint: 'free some space; nothing was lost',
};
const forbidden: DiskReason = {
  code: 'disk-forbidden',
  clause: 'this account is not allowed to write there',
  hint: 'take ownership of the directory and make it writable (chmod u+rwx); nothing was lost',
};
const gone: DiskReason = {
  code: 'disk-gone',
  clause: 'the file or its directory no longer exists',
  hint: 'restore the directory or restart the session',
};

const reasons: Readonly<Record<string, DiskReason>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: {
    code: 'disk-read-only',
    clause: 'the file system is read-only',
    hint: 'remount it read-write; nothing was lost',
  },
  ENOENT: gone,
  ENOTDIR: gone,
  ELOOP: {
    code: 'disk-link',
    clause: 'there is a symbolic link in place of a real file',
    hint: 'remove the link',
  },
};
