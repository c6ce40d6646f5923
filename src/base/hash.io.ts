import { createHash, hash } from 'node:crypto';

/** SHA-256 as 64 lower-case hexadecimal digits; a string is hashed as UTF-8. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);

/** SHA-256 of bytes that arrive in pieces. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** The hash of the bytes so far, as `sha256` gives it. More bytes may follow. */
  soFar(): string;
}

export const createSha256 = (): RunningHash => {
  const running = createHash('sha256');
  return {
    update: (bytes) => void running.update(bytes),
    soFar: () => running.copy().digest('hex'),
  };
};
