import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMouseDecoder, type InputPiece } from '../../components/keys/mouse-reports.ts';
import { draws } from '../helpers/test-form.ts';

const esc = '\u001b';

/** All pieces of these reads, neighbouring bytes as one; with what is held at the end, as after the wait. */
const decode = (reads: readonly string[]): readonly InputPiece[] => {
  const decoder = createMouseDecoder();
  const pieces = [...reads.flatMap(decoder.push), { kind: 'bytes', text: decoder.flush() } as const];
  const joined: InputPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'bytes' && last?.kind === 'bytes')
      joined[joined.length - 1] = { kind: 'bytes', text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined.filter((piece) => piece.kind !== 'bytes' || piece.text !== '');
};

const bytesOf = (pieces: readonly InputPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'bytes' ? piece.text : '')).join('');

const report = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 3, 4, 32, 64, 65, 66, 80, 128),
    fc.nat(9_999),
    fc.nat(9_999),
    fc.constantFrom('M', 'm'),
  )
  .map(([button, column, row, end]) => `${esc}[<${button};${column};${row}${end}`);

/** What a terminal sends, and what nearly looks like it. */
const input = fc.array(
  fc.oneof(
    report,
    fc.constantFrom(
      esc,
      `${esc}[`,
      `${esc}[<`,
      `${esc}[<0;1`,
      `${esc}[<;;M`,
      `${esc}[<0;1;1;1M`,
      `${esc}[A`,
      `${esc}[M !!`,
      `${esc}[200~`,
      `${esc}[201~`,
      `${esc}[200`,
      `${esc}[27u`,
      `${esc}OP`,
      'p',
      '日本',
      '\r',
      'M',
      '0;1;1M',
      '~',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  ),
  { maxLength: 12 },
);

const splitAt = (text: string, cuts: readonly number[]): readonly string[] => {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
};

/** The same by a definition that knows no reads: pastes are kept, reports outside of them taken out. */
const withoutReports = (text: string): string =>
  text.replace(
    /\u001b\[200~[\s\S]*?(?:\u001b\[201~|$)|\u001b\[<\d{1,5};\d{1,5};\d{1,5}[Mm]|\u001b\[M[\s\S]{3}/g,
    (found) => (found.startsWith(`${esc}[200~`) ? found : ''),
  );

describe('mouse reports', () => {
  test('however the reads end, the same is told of the mouse, and every other byte passes unchanged and in order', () => {
    fc.assert(
      fc.property(input, fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const text = parts.join('');
        const whole = decode([text]);
        expect(decode(splitAt(text, cuts))).toEqual(whole);
        expect(decode([...text])).toEqual(whole);
        expect(bytesOf(whole)).toBe(withoutReports(text));
      }),
      draws(2_000),
    );
  });

  test.each([
    ['[<0;10;5M', [{ kind: 'mouse', pointing: { what: 'press', column: 9, row: 4 } }]],
    ['[<0;10;5m', [{ kind: 'mouse', pointing: { what: 'release', column: 9, row: 4 } }]],
    ['[<2;10;5m', []],
    ['[<2;10;5M', []],
    ['[<32;10;5M', [{ kind: 'mouse', pointing: { what: 'drag', column: 9, row: 4 } }]],
    ['[<34;10;5M', []],
    ['[<35;10;5M', []],
    ['[<4;1;1M', [{ kind: 'mouse', pointing: { what: 'press', column: 0, row: 0 } }]],
    ['[<64;1;1M', [{ kind: 'mouse', pointing: { what: 'wheel-up', column: 0, row: 0 } }]],
    ['[<65;300;100M', [{ kind: 'mouse', pointing: { what: 'wheel-down', column: 299, row: 99 } }]],
    ['[<0;0;0M', []],
    ['[M !!', [{ kind: 'mouse', pointing: { what: 'press', column: 0, row: 0 } }]],
  ])('ESC%s', (bytes, wanted) => {
    expect(decode([`${esc}${bytes}`])).toEqual(wanted);
  });

  test('keys and clicks stay in their order', () => {
    expect(decode([`a${esc}[<0;1;1Mb${esc}[A${esc}[<64;2;2M`])).toEqual([
      { kind: 'bytes', text: 'a' },
      { kind: 'mouse', pointing: { what: 'press', column: 0, row: 0 } },
      { kind: 'bytes', text: `b${esc}[A` },
      { kind: 'mouse', pointing: { what: 'wheel-up', column: 1, row: 1 } },
    ]);
  });

  test('what a clipboard holds clicks nothing', () => {
    const paste = `${esc}[200~one ${esc}[<0;1;1M two${esc}[201~`;
    for (let cut = 0; cut < paste.length; cut += 1)
      expect(decode([paste.slice(0, cut), paste.slice(cut)])).toEqual([{ kind: 'bytes', text: paste }]);
  });

  test('an Esc alone is held until it is given up, and half a paste is nothing to wait for', () => {
    const decoder = createMouseDecoder();
    expect(decoder.push(esc)).toEqual([]);
    expect(decoder.held()).toBe('a key');
    expect(decoder.flush()).toBe(esc);
    expect(decoder.held()).toBe(null);
    for (const part of [`${esc}[200`, '~', `x${esc}`, '[20'] as const) {
      decoder.push(part);
      expect(decoder.held(), part).toBe(null);
    }
    expect(bytesOf(decoder.push('1~'))).toBe(`${esc}[201~`);
  });
});
