import { visibleText } from './hidden-text.ts';
import { knownSecrets } from './redact.ts';
import { tellingName } from './secrets/secret-forms.ts';

/** How far back the search for the beginning of a secret reaches, in characters. */
const reach = 4_096;

/**
 * Counts the characters at the end of a text that may be a secret still incomplete. Output arrives in pieces, and printed text cannot be withdrawn.
 * 0 when the end cannot be part of a secret.
 */
export const createOpenSecret = (secrets: readonly string[] = []): ((text: string) => number) => {
  const known = knownSecrets(secrets);
  return (text) => {
    const end = text.slice(-reach);
    const broken = /\x1b(?:\[[0-?]{0,32}[ -/]*|\][^\x07\x1b]{0,64})?$/.exec(end)?.[0].length ?? 0;
    const seen = visibleText(end.slice(0, end.length - broken));
    const unfinished = Math.max(beginning.exec(seen.text)?.[0].length ?? 0, longestStart(known, seen.text));
    return unfinished === 0 ? broken : end.length - seen.at(seen.text.length - unfinished);
  };
};

/** The length of the longest suffix of `text` that is a prefix of one of the secrets. */
const longestStart = (secrets: readonly string[], text: string): number => {
  let longest = 0;
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length -= 1)
      if (secret.startsWith(text.slice(text.length - length))) longest = length;
  return longest;
};

/** `a(?:b(?:cREST)?)?`: any beginning of the word, or all of it with its continuation. A class in brackets counts as one character. */
const startOf = (word: string, rest: string): string =>
  (word.match(/\[[^\]]+\]|./g) ?? []).reduceRight((inner, letter) => `${letter}(?:${inner})?`, rest);

const words = [
  'sk-',
  'gh[pousr]_',
  'github_pat_',
  'glpat-',
  'npm_',
  'ralph_mcp_',
  'AKIA',
  'ASIA',
  'AIza',
  'xox[abeprs][.-]',
  '[srp]k_live_',
  '[srp]k_test_',
  'hf_',
];

/** The beginning of anything that `redact` recognises by its form, up to the end of the text. A port is no password. */
const beginning = new RegExp(
  `(?:${[
    ...words.map((word) => `\\b${startOf(word, '[A-Za-z0-9_-]*')}`),
    `\\b${startOf('[Bb]earer', '\\s{1,4}[A-Za-z0-9._~+/=-]*')}`,
    `\\b${startOf('SG[.]', '[A-Za-z0-9_.-]*')}`,
    `\\b${startOf('eyJ', '[A-Za-z0-9_.-]*')}`,
    `\\b${startOf('[Aa]uthorization:', '\\s{0,4}(?:[Bb](?:a(?:s(?:i(?:c(?:\\s{1,4}[A-Za-z0-9+/=]*)?)?)?)?)?)?')}`,
    '[?&][a-z_]{0,13}(?:=[^&\\s]{0,256})?',
    `${tellingName}["']?[ \\t]{0,4}(?:=|:[ \\t]{0,4}["'\`]|:[ \\t]{0,4}(?=[^\\s"'\`]))[ \\t]{0,4}["'\`]?[^\\s"'\`]{0,512}`,
    ':\\/\\/[^\\s:@/]{1,64}:[^\\s:@/0-9][^\\s:@/]{0,255}',
    startOf('-----BEGIN ', '[A-Z ]{0,60}-{0,5}'),
  ].join('|')})$`,
);
