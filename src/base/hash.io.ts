import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256 as 64 lower-case hexadecimal digits; a string is hashed as UTF-8. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);

/** A hash of bytes that arrive in pieces. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** The hash of the bytes so far, in lower-case hexadecimal digits. More bytes may follow. */
  soFar(): string;
  /** Another one that goes on from here. */
  copy(): RunningHash;
}

export const createSha256 = (): RunningHash => runningHash(createHash('sha256'));

/** For names that git gives: nothing of ours relies on SHA-1. */
export const createSha1 = (): RunningHash => runningHash(createHash('sha1'));

const runningHash = (running: Hash): RunningHash => ({
  update: (bytes) => void running.update(bytes),
  soFar: () => running.copy().digest('hex'),
  copy: () => runningHash(running.copy()),
});
