/** A one-time code that pairs one device. */
export interface PairingCode {
  /** Six words, as `wordsOf` writes them. */
  readonly code: string;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
  readonly triesLeft: number;
}

const codeLastsMs = 120_000;
const mostTries = 5;

/** Hexadecimal digits that a code is made from: 72 bits. */
export const codeDigits = 18;

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeio';

/** Six words of two syllables, easy to say and to type: three digits give one. */
const wordsOf = (hex: string): string =>
  (hex.match(/.{3}/g) ?? [])
    .map((digits) => {
      const [first = 0, both = 0, second = 0] = [...digits].map((digit) => Number.parseInt(digit, 16));
      return `${consonants[first]}${vowels[both >> 2]}${consonants[second]}${vowels[both & 3]}`;
    })
    .join('-');

/** The same for what a person typed: case, blanks and dashes do not matter. */
const plain = (typed: string): string => typed.toLowerCase().replace(/[^a-z]+/g, '');

export const newCode = (hex: string, now: number): PairingCode => ({
  code: wordsOf(hex),
  until: now + codeLastsMs,
  triesLeft: mostTries,
});

export type Tried =
  | { readonly kind: 'paired' }
  | { readonly kind: 'wrong'; readonly left: PairingCode | null; readonly why: string };

/** One try. A code that was used, has had its tries or is too old is gone: `left` is what remains of it. */
export const tryCode = (open: PairingCode | null, typed: string, now: number): Tried => {
  if (open === null)
    return { kind: 'wrong', left: null, why: 'No code is open: ask for a new one where `serve` runs' };
  if (now >= open.until)
    return { kind: 'wrong', left: null, why: 'This code is too old: ask for a new one where `serve` runs' };
  if (plain(typed) === plain(open.code)) return { kind: 'paired' };
  const triesLeft = open.triesLeft - 1;
  return triesLeft > 0
    ? {
        kind: 'wrong',
        left: { ...open, triesLeft },
        why: `Wrong code, ${triesLeft} more ${triesLeft === 1 ? 'try' : 'tries'}`,
      }
    : { kind: 'wrong', left: null, why: 'Wrong code too often: ask for a new one where `serve` runs' };
};
