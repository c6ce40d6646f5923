/**
 * Takes secrets out of text before it reaches a log, the journal, a report or the screen (quality.md, Hostile input): values known to
 * be secret, and the forms that well-known keys have. Linear in the text.
 */
export type Redact = (text: string) => string;

/** Values shorter than this are words, not secrets: taking them out would garble everything. */
const shortestSecret = 8;

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
    /(?<=\bBearer\s{1,4})[A-Za-z0-9._~+/=-]{8,}/,
    /(?<=:\/\/[^\s:@/]{0,64}:)[^\s:@/]{3,256}(?=@)/,
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|(?![\s\S]))/,
    /(?:^[A-Za-z0-9+/=]{1,76}\r?\n){1,100}-----END [A-Z ]{0,40}PRIVATE KEY-----/,
  ]
    .map((form) => form.source)
    .join('|'),
  'gm',
);

/** What stands where a secret stood. */
export const redacted = '[redacted]';

/** Takes out `secrets` (values known from the environment) and whatever has the form of a key. */
export const createRedact = (secrets: readonly string[] = []): Redact => {
  const known = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, redacted);
    return hints.test(clean) ? clean.replace(forms, redacted) : clean;
  };
};

/** One cheap look that most text ends at. */
const hints = /sk-|gh[pousr]_|github_pat_|glpat-|npm_|AKIA|ASIA|AIza|xox[abprs]-|Bearer\s|:\/\/|PRIVATE KEY/;

/** The same for every string inside plain data; values that hold no secret are given back as they are. */
export const redactDeep = (redact: Redact, value: unknown): unknown => {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactDeep(redact, item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const clean = entries.map(([key, item]) => [key, redactDeep(redact, item)] as const);
  return clean.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(clean) : value;
};
