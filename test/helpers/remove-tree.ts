import { rmSync } from 'node:fs';

/** Removes a directory with all in it, if it is there. A process that was just told to end may still write its last file there: then it is tried again, for a second. */
export const removeTree = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
