import { createOpenSecret } from '../base/open-secret.ts';
import { createRedact } from '../base/redact.ts';

/** Takes secrets out of output that comes in pieces of any length; one for each stream. */
export interface SecretFilter {
  /** The text without secrets; it follows what was given before. */
  clean(text: string): string;
  /** How many bytes at the end are better kept until more has come, because a secret may begin there. */
  unfinished(bytes: Uint8Array): number;
}

/** A private key longer than this is none: what follows would never be seen. */
const longestKey = 64 * 1024;
const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnds = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Where the last match begins, or -1. */
const lastOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;

export const createSecretFilter = (secrets: readonly string[]): SecretFilter => {
  const redact = createRedact(secrets);
  // Secrets are looked for in bytes taken as Latin-1: one character for each, whatever the text is encoded in.
  const unfinished = createOpenSecret(secrets.map((secret) => asLatin(new TextEncoder().encode(secret))));
  /** Characters of a private key that were left out; `null` outside of one. */
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

/** Arguments of one call: a value of the environment may hold 128 KiB, which is more than a call takes. */
const atOnce = 8_192;

const asLatin = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += atOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + atOnce));
  return text;
};
