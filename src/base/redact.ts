import { hiddenText, mayHide, visibleText, withoutHidden } from './hidden-text.ts';
import { encodedForms } from './secrets/encoded-secrets.ts';
import { isCommon } from './secrets/ordinary-value.ts';
import { secretHints, secretKinds } from './secrets/secret-forms.ts';

/**
 * Removes secrets from text before it reaches a log, the journal, a report or the screen (test/README.md, Hostile input): values known to
 * be secret, and the forms of well-known keys, even with a colour sequence inside. Linear in the text.
 */
export type Redact = (text: string) => string;

/** Values shorter than this are words, not secrets: removing them would garble all text. */
const shortestSecret = 8;

/** A single line of a longer value counts as a secret too, because such values are printed line by line. */
const shortestLine = 16;

const forms = new RegExp(secretKinds.map(([, form]) => form.source).join('|'), 'gm');

/** The same with a group for each kind, slower: only for counting what was found. */
const namedForms = new RegExp(secretKinds.map(([, form]) => `(${form.source})`).join('|'), 'gm');

/** The replacement for a secret. */
export const redacted = '[redacted]';

const withoutForm = (text: string): string =>
  text.replace(forms, (form) => (isCommon(form) ? form : redacted));

/** Removes `secrets` (values known from the environment) and everything in the form of a key. */
export const createRedact = (secrets: readonly string[] = []): Redact => {
  const known = encodedForms(knownSecrets(secrets));
  const plain: Redact = (text) => {
    let clean = text;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, redacted);
    return withoutForms(clean);
  };
  return (text) => {
    if (!mayHide(text)) return plain(text);
    // Checks the visible text first: half of a secret before a colour sequence looks like a whole one.
    const seen = withoutHidden(text);
    return plain(plain(seen) === seen ? text : redactSeen(known, text, visibleText(text)));
  };
};

/** How many secrets of each kind a text holds, in words, as `createRedact` finds them. Meant for texts that redaction changed. */
export const countSecrets = (secrets: readonly string[], text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const add = (kind: string, by: number): void => {
    if (by > 0) counts.set(kind, (counts.get(kind) ?? 0) + by);
  };
  let seen = mayHide(text) ? withoutHidden(text) : text;
  for (const secret of encodedForms(knownSecrets(secrets))) {
    const parts = seen.split(secret);
    add('value of a secret variable', parts.length - 1);
    seen = parts.join(redacted);
  }
  for (const match of seen.matchAll(namedForms)) {
    if (match[0] === redacted || isCommon(match[0])) continue;
    const index = match.slice(1).findIndex((group) => group !== undefined);
    add(secretKinds[index]?.[0] ?? 'secret', 1);
  }
  return counts;
};

/** The values to search for, the longest first. A value with several lines adds each line that is long enough. */
export const knownSecrets = (secrets: readonly string[]): readonly string[] => {
  const lines = secrets.flatMap((secret) =>
    secret
      .split(/\r?\n/)
      .filter((line) => line !== secret && line.length >= shortestLine && !/\s/.test(line)),
  );
  return [...new Set([...secrets.filter((secret) => secret.length >= shortestSecret), ...lines])].sort(
    (a, b) => b.length - a.length,
  );
};

/** Removes secrets that appear only in the visible text. Colours inside them stay, so that the text after them keeps its look. */
const redactSeen = (known: readonly string[], text: string, seen: ReturnType<typeof visibleText>): string => {
  const found = [
    ...known.flatMap((secret) => placesOf(seen.text, secret)),
    ...[...seen.text.matchAll(forms)]
      .filter(({ 0: match }) => !isCommon(match))
      .map(({ 0: match, index }) => [index, index + match.length] as const),
  ].sort(([a], [b]) => a - b);
  let out = '';
  let done = 0;
  for (const [start, end] of found) {
    const from = Math.max(done, seen.at(start));
    const to = end > start ? seen.at(end - 1) + 1 : from;
    if (to <= done) continue;
    out += text.slice(done, from) + redacted + hiddenText(text.slice(from, to));
    done = to;
  }
  return out + text.slice(done);
};

const placesOf = (text: string, secret: string): readonly (readonly [number, number])[] => {
  const places: (readonly [number, number])[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
    places.push([at, at + secret.length]);
  return places;
};

/** Characters of a text from which only the lines with a hint are looked at. */
const longText = 16_384;

/** A form is in the line of its hint; after "Bearer" there may be four line breaks. Only private keys are longer. */
const linesOfBearer = 5;

/** The text without the forms of keys. Of a long one only the lines around hints are looked at closely. */
const withoutForms = (text: string): string => {
  if (text.search(secretHints) < 0) return text;
  if (text.length < longText || text.includes('PRIVATE KEY')) return withoutForm(text);
  let out = '';
  let from = 0;
  let to = 0;
  let end = 0;
  let bearer = 0;
  for (const { 0: hint, index } of text.matchAll(secretHints)) {
    if (index >= to) {
      out += withoutForm(text.slice(from, to));
      from = text.lastIndexOf('\n', index) + 1;
      out += text.slice(to, from);
    }
    // Once a line: a line may hold thousands of hints.
    if (index >= end) end = endOfLines(text, index, 1);
    if (hint.includes('earer') && bearer !== end) {
      bearer = end;
      to = Math.max(to, endOfLines(text, end, linesOfBearer - 1));
    }
    to = Math.max(to, end);
  }
  return out + withoutForm(text.slice(from, to)) + text.slice(to);
};

const endOfLines = (text: string, from: number, lines: number): number => {
  let to = from;
  for (let line = 0; line < lines && to < text.length; line += 1) {
    const end = text.indexOf('\n', to);
    to = end < 0 ? text.length : end + 1;
  }
  return to;
};

/** Redacts every string inside plain data. Values without a secret are returned unchanged. */
export const redactDeep = (redact: Redact, value: unknown): unknown => {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactDeep(redact, item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const clean = entries.map(([key, item]) => [redact(key), redactDeep(redact, item)] as const);
  return clean.some(([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1])
    ? Object.fromEntries(clean)
    : value;
};
