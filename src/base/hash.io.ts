import { createHash } from 'node:crypto';

/** SHA-256 as 64 lower-case hexadecimal digits; a string is hashed as UTF-8. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
