import { createOpenSecret } from '../../base/open-secret.ts';
import { createRedact } from '../../base/redact.ts';

/** Removes secrets from output that arrives in pieces of any length. One filter for each stream. */
export interface SecretFilter {
  /** The next piece of text without secrets. */
  clean(text: string): string;
  /** Number of bytes at the end to hold back, because a secret may begin there. */
  unfinished(bytes: Uint8Array): number;
}

/** A longer text is not a private key. Without the limit, all later output would be hidden. */
const longestKey = 64 * 1024;
const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnds = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Where the last match begins, or -1. */
const lastOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;

export const createSecretFilter = (secrets: readonly string[]): SecretFilter => {
  const redact = createRedact(secrets);
  // Searches bytes decoded as Latin-1: one character for each byte, in any encoding.
  const unfinished = createOpenSecret(secrets.map((secret) => asLatin(new TextEncoder().encode(secret))));
  /** Number of omitted characters of a private key; `null` outside a key. */
  let inKey: number | null = null;

  return {
    clean: (text) => {
      let rest = text;
      if (inKey !== null) {
        const [end = null] = rest.matchAll(keyEnds);
        inKey += rest.length;
        if (end === null && inKey <= longestKey) return '';
        rest = end === null ? rest : rest.slice(end.index + end[0].length);
        inKey = null;
      }
      if (rest.includes('PRIVATE KEY') && lastOf(keyBegins, rest) > lastOf(keyEnds, rest)) inKey = 0;
      return redact(rest);
    },
    unfinished: (bytes) => unfinished(asLatin(bytes.subarray(Math.max(0, bytes.length - atOnce)))),
  };
};

/** Limit of arguments for one call. A value of the environment may hold 128 KiB, too many for one call. */
const atOnce = 8_192;

const asLatin = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += atOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + atOnce));
  return text;
};
