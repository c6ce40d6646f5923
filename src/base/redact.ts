import { hiddenText, mayHide, visibleText, withoutHidden } from './hidden-text.ts';

/**
 * Takes secrets out of text before it reaches a log, the journal, a report or the screen (quality.md, Hostile input): values known to
 * be secret, and the forms that well-known keys have, also where a colour stands in their middle. Linear in the text.
 */
export type Redact = (text: string) => string;

/** Values shorter than this are words, not secrets: taking them out would garble everything. */
const shortestSecret = 8;

/** A line of a longer value is one as well: that is how it is printed. */
const shortestLine = 16;

/** What well-known keys look like; the last two are a private key, and the end of one whose beginning stood in an earlier piece of a log. */
const forms = new RegExp(
  [
    /\bsk-[A-Za-z0-9_-]{16,}/,
    /\bgh[pousr]_[A-Za-z0-9]{20,}/,
    /\bgithub_pat_[A-Za-z0-9_]{20,}/,
    /\bglpat-[A-Za-z0-9_-]{20,}/,
    /\bnpm_[A-Za-z0-9]{36}/,
    /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/,
    /\bAIza[A-Za-z0-9_-]{35}/,
    /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
    /(?<=\b[Bb]earer\s{1,4})[A-Za-z0-9._~+/=-]{8,}/,
    /(?<=:\/\/[^\s:@/]{0,64}:)[^\s:@/]{3,256}(?=@)/,
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?![\s\S]))/,
    /(?:^[A-Za-z0-9+/=]{1,76}\r?\n){1,100}-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/,
  ]
    .map((form) => form.source)
    .join('|'),
  'gm',
);

/** What stands where a secret stood. */
export const redacted = '[redacted]';

/** Takes out `secrets` (values known from the environment) and whatever has the form of a key. */
export const createRedact = (secrets: readonly string[] = []): Redact => {
  const known = knownSecrets(secrets);
  const plain: Redact = (text) => {
    let clean = text;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, redacted);
    return hints.test(clean) ? clean.replace(forms, redacted) : clean;
  };
  return (text) => {
    if (!mayHide(text)) return plain(text);
    // As the eye sees it comes first: half of a secret before a colour looks like a whole one.
    const seen = withoutHidden(text);
    return plain(plain(seen) === seen ? text : redactSeen(known, text, visibleText(text)));
  };
};

/** The values to look for, the longest first; of one with several lines each line that is long enough. */
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

/** Takes out what is a secret only to the eye; colours inside of it stay, so that what follows looks as it did. */
const redactSeen = (known: readonly string[], text: string, seen: ReturnType<typeof visibleText>): string => {
  const found = [
    ...known.flatMap((secret) => placesOf(seen.text, secret)),
    ...[...seen.text.matchAll(forms)].map(({ 0: match, index }) => [index, index + match.length] as const),
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

/** One cheap look that most text ends at. */
const hints =
  /sk-|gh[pousr]_|github_pat_|glpat-|npm_|AKIA|ASIA|AIza|xox[abprs]-|[Bb]earer\s|:\/\/|PRIVATE KEY/;

/** The same for every string inside plain data; values that hold no secret are given back as they are. */
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
