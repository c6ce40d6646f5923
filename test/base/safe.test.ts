import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safe, safeBlock, safeJson, safeOutput } from '../../src/base/safe.ts';
import { processorTime, repeatedly } from '../helpers/processor-time.ts';
import { draws, sized } from '../helpers/test-form.ts';

/** Whatever a terminal could act on, or a reader could not see. */
const live =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff\u2028\u2029]|\p{Surrogate}/u;

/** Strings built of the pieces that matter, so that broken and nested sequences come up all the time. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b',
        '\x9b',
        '\x9d',
        '\x90',
        '\x9c',
        '\x07',
        '\x1b\\',
        '\x18',
        '\r',
        '\b',
        '\n',
        '\t',
      ),
      fc.constantFrom('[', ']', 'P', '0', ';', '31m', 'm', 'K', '52;c;', '\x1b[', '\x1b]8;;', '?25l', ' '),
      fc.constantFrom(
        '\u202e',
        '\u200b',
        '\u200d',
        '\ufe0f',
        '\ud83d',
        '\udc69',
        '👩',
        '💻',
        '\u{e0041}',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

const withoutColours = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, '');

test('no live character is left of 100,000 hostile strings', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const line = safe(text);
      const block = safeBlock(text);
      return (
        !live.test(line) &&
        !/[\n\t]/.test(line) &&
        !live.test(block) &&
        !live.test(safeOutput(text)) &&
        !live.test(withoutColours(safeOutput(text, { keepColours: true }))) &&
        safe(line) === line &&
        safeBlock(block) === block
      );
    }),
    draws(100_000),
  );
});

test('JSON has no live character either, and every value comes back as it was', () => {
  fc.assert(
    fc.property(hostile, hostile, (key, text) => {
      const json = safeJson({ [`-${key}`]: [text] });
      return !live.test(json) && isDeepStrictEqual(JSON.parse(json), { [`-${key}`]: [text] });
    }),
    draws(100_000),
  );
  expect(safeJson('\u009d52;c;\u202e\u{e0041}é👩')).toBe('"\\u009d52;c;\\u202e\\udb40\\udc41é👩"');
});

test('time grows with the length and not faster, whatever the text is made of', () => {
  const pieces = [
    '\x1b]',
    '\x1b[0;',
    '\x9d',
    '\x1b[',
    '\x1b',
    '\x1b]a\x1b',
    '\u200d',
    '👩\u200d',
    '\r',
    '\b',
    'a\r',
    '\x1b[1mx',
    '\x1bP\x9c',
    'aaaa\x1b[K',
    'aaaa\x1b[2K',
    'aaaa\b\x1b[Kb',
    'a\u0301\r',
    '\r\u0301',
  ];
  const cleanAll = (text: string) => () => {
    safe(text);
    safeOutput(text, { keepColours: true });
  };
  const size = sized({ short: 2_500, long: 10_000 });
  for (const piece of pieces) {
    const inPieces = repeatedly(8, cleanAll(piece.repeat(size)));
    const whole = cleanAll(piece.repeat(8 * size));
    // Only what is not linear at the first look is measured with care.
    if (processorTime(whole, 1) < processorTime(inPieces, 1) * 2) continue;
    const short = processorTime(inPieces, 6);
    const long = processorTime(whole, 6);
    // As much text in one piece as in eight: as long when linear, eight times as long when quadratic; the constant is for clocks that count in
    // hundredths of a second.
    expect(long, JSON.stringify(piece)).toBeLessThan(short * 4 + 40);
  }
});

describe('one line', () => {
  const check = (from: string, to: string): void => expect(safe(from)).toBe(to);

  test('keeps what people write', () => {
    check('Grüße, 世界, العربية, עברית, é e\u0301', 'Grüße, 世界, العربية, עברית, é e\u0301');
    check('👩‍💻 ❤️ 1️⃣ 👍🏽 👨‍👩‍👧 🏳️‍🌈', '👩‍💻 ❤️ 1️⃣ 👍🏽 👨‍👩‍👧 🏳️‍🌈');
  });

  test('takes whole sequences away, not only their first byte', () => {
    check('a\x1b[31mb\x1b[0mc', 'abc');
    check('a\x9b31mb', 'ab');
    check('a\x1b[?25l\x1b[2J\x1b[1;1Hb', 'ab');
    check('a\x1b(0b\x1b7c\x1b=d', 'abcd');
  });

  test('takes clipboard writes and titles away however they end', () => {
    for (const end of ['\x07', '\x1b\\', '\x9c'])
      for (const begin of ['\x1b]52;c;', '\x9d52;c;', '\x1bP', '\x90', '\x1b_', '\x1b^', '\x1bX'])
        check(`a${begin}aGk=${end}b`, 'ab');
  });

  test('takes an unterminated string with its line and not with the rest of the text', () => {
    check('a\x1b]52;c;aGk=', 'a');
    expect(safeBlock('a\x1b]0;title\nb')).toBe('a\nb');
  });

  test('makes a forged prompt harmless', () => {
    check('ok\x1b[1A\x1b[2K\rAllow? [y]', 'ok Allow? [y]');
  });

  test('shows line breaks and tabs as one space each', () => {
    check('a\r\nb\nc\td\u2028e\x85f', 'a b c d e f');
  });

  test('takes reordering and invisible characters out', () => {
    check('photo\u202egpj.exe', 'photogpj.exe');
    check('a\u200bb\u2060c\ufeffd\u00ade\u061cf\u{e0041}g\u3164h', 'abcdefgh');
    check('a\u200db\ufe0f', 'ab');
  });

  test('replaces lone surrogates', () => {
    check('a\ud800b\udcffc', 'a\ufffdb\ufffdc');
    check('\ud83d\x1b[m\ude00', '\ufffd\ufffd');
  });
});

describe('several lines', () => {
  test('keep their breaks and tabs', () => {
    expect(safeBlock('a\tb\r\nc\n\x1b[1md')).toBe('a\tb\nc\nd');
  });
});

describe('the output of a program', () => {
  const check = (from: string, to: string, keepColours = false): void =>
    expect(safeOutput(from, { keepColours })).toBe(to);

  test('shows the last state of a progress bar', () => {
    check('10%\r 50%\r100%\ndone\r\n', '100%\ndone\n');
    check('Downloading…\r\x1b[KDone', 'Done');
    check('Downloading\rDone\x1b[K', 'Done');
    check('long text\x1b[2K\rnew', 'new');
    check('abcdef\rXY', 'XYcdef');
  });

  test('carries backspaces out', () => {
    check('-\b\\\b|\b/', '/');
    check('abc\b\b\b\b\bX', 'Xbc');
  });

  test('keeps colours when asked and closes them at the end of each line', () => {
    check('\x1b[31mred\x1b[0m plain', '\x1b[31mred\x1b[0m plain', true);
    check('\x1b[1;32mok\nstill', '\x1b[1;32mok\x1b[0m\n\x1b[1;32mstill\x1b[0m', true);
    check('\x1b[31mred\x1b[m', 'red');
    check('\x1b[31mred\rb', '\x1b[31mbed\x1b[0m', true);
  });

  test('keeps nothing but colours', () => {
    check('a\x1b[5;5Hb\x1b]0;t\x07c\x1b[?1049hd', 'abcd', true);
    check(`\x1b[${'1;'.repeat(100)}mx`, 'x', true);
  });
});
