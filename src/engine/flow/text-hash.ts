import { sha256 } from '../../base/hash.io.ts';

/** Tells whether somebody edited a text of ours. Places change the ends of lines. */
export const textHash = (body: string): string => sha256(body.replaceAll('\r\n', '\n').trim());

export const isTextOf =
  (hash: string) =>
  (body: string): boolean =>
    textHash(body) === hash;
