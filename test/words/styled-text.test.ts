import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inForce } from '../../src/words/style-codes.ts';
import { styledLines } from '../../src/words/styled-text.ts';

test('lines that follow one another keep the colour in force, and lose whatever would steer the terminal', () => {
  const lines = styledLines([
    '\u001b[31mred',
    'still red\u001b]52;c;aGVsbG8=\u0007 and safe\u001b[2J\u001b[10;10H',
    '\u001b[1mand bold\u009b31m',
    '\u001b[0mplain\u200f',
    'plain too',
  ]);
  expect(lines.map(({ text }) => text)).toEqual([
    'red',
    'still red and safe',
    'and bold',
    'plain',
    'plain too',
  ]);
  expect(lines.map(({ styles }) => styles.map(({ codes }) => codes).join())).toEqual([
    '31',
    '31',
    '31;1',
    '',
    '',
  ]);
  for (const { text } of lines) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

/** How a terminal draws an x after these parameters. */
const drawn = async (codes: readonly string[]): Promise<string> => {
  const terminal = new headless.Terminal({ cols: 4, rows: 1, allowProposedApi: true });
  const bytes = `${codes.map((each) => `\u001b[${each}m`).join('')}x`;
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const cell = terminal.buffer.active.getLine(0)?.getCell(0);
  return [
    cell?.getFgColorMode(),
    cell?.getFgColor(),
    cell?.getBgColorMode(),
    cell?.getBgColor(),
    ...[cell?.isBold(), cell?.isDim(), cell?.isItalic(), cell?.isInverse(), cell?.isStrikethrough()],
    ...[cell?.isUnderline(), cell?.isInvisible(), cell?.isBlink()],
  ].join();
};

test('however many parameters follow one another, the few in force draw the same', async () => {
  const codes = [
    '0',
    '1',
    '2',
    '3',
    '4',
    '7',
    '9',
    '22',
    '23',
    '24',
    '27',
    '29',
    '31',
    '39',
    '97',
    '42',
    '49',
    '104',
  ];
  const code = fc.constantFrom(
    ...codes,
    '38;5;200',
    '48;5;33',
    '38;2;1;2;3',
    '48;2;38;48;5',
    '1;31',
    '22;39',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(code, { maxLength: 12 }), async (all) => {
      const few = all.reduce((before, set) => inForce(before === '' ? set : `${before};${set}`), '');
      expect(await drawn(few === '' ? [] : [few])).toBe(await drawn(all));
      expect(few.split(';').length).toBeLessThanOrEqual(18);
    }),
    { numRuns: 300 },
  );
});
