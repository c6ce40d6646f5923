import { describe, expect, test } from 'vitest';
import { paint } from '../../components/draw/paint.ts';
import { fillLine, fitLine, span, widthOfLine } from '../../components/draw/span.ts';
import { createTheme } from '../../components/draw/theme.ts';
import { truncate, widthOf, wrap } from '../../src/words/width.ts';

describe('the theme', () => {
  test('names no colour with NO_COLOR, and different ones on dark and light ground', () => {
    const none = createTheme({ colours: 'none', ascii: false, background: 'dark' });
    expect(Object.values(none.codes).every((code) => /^[17]?$/.test(code))).toBe(true);
    const dark = createTheme({ colours: 'true', ascii: false, background: 'dark' });
    const light = createTheme({ colours: 'true', ascii: false, background: 'light' });
    expect(dark.codes.done).not.toBe(light.codes.done);
    expect(createTheme({ colours: '16', ascii: false, background: 'dark' }).codes.failed).toBe('91');
  });

  test.each([true, false])('gives every status a shape of its own (ascii: %s)', (ascii) => {
    const theme = createTheme({ colours: 'none', ascii, background: 'dark' });
    const glyphs = Object.values(theme.looks).map((look) => look.glyph);
    expect(new Set(glyphs).size).toBe(glyphs.length);
    expect(glyphs.every((glyph) => widthOf(glyph) === 1)).toBe(true);
    const drawn = [...glyphs, ...Object.values(theme.glyphs).flat()].join('');
    if (ascii) expect(drawn).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('text in cells', () => {
  const theme = createTheme({ colours: 'none', ascii: false, background: 'dark' });
  const family = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}';

  test('is measured and cut by what it takes, never in the middle of a character', () => {
    expect(truncate('日本語', 5, '…')).toBe('日本…');
    expect(truncate('日本語', 4, '…')).toBe('日…');
    expect(truncate(`e\u0301e\u0301e\u0301`, 2, '…')).toBe(`e\u0301…`);
    expect(truncate(`${family}${family}${family}`, 5, '…')).toBe(`${family}${family}…`);
    expect(truncate('short', 5, '…')).toBe('short');
  });

  test.each([0, 1, 2, 3, 7, 12, 40])('a line is exactly %i cells wide whatever it holds', (width) => {
    for (const line of [
      [],
      [span('日本語'), span('日本語')],
      [span('ab'), span('cdefghijklmnop'), span('q')],
      [span(family)],
    ]) {
      expect(widthOfLine(fillLine(line, width, theme))).toBe(width);
      expect(widthOfLine(fitLine(line, width, theme))).toBeLessThanOrEqual(width);
    }
  });

  test('is wrapped at blanks where there are any, and else where it must be', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
    expect(wrap('a\n\nb', 5)).toEqual(['a', '', 'b']);
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  });
});

test('what is plain text to the fast measure is as wide for the slow one', async () => {
  const { default: stringWidth } = await import('string-width');
  const wrong: string[] = [];
  for (let code = 0x20; code < 0x3000; code += 1) {
    const sign = String.fromCharCode(code);
    if (widthOf(`a${sign}`) !== stringWidth(`a${sign}`)) wrong.push(code.toString(16));
    if (widthOf(sign) !== stringWidth(sign)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('a painted line holds its text and ends without a style', () => {
  const theme = createTheme({ colours: '16', ascii: false, background: 'dark' });
  const painted = paint(
    [span('a'), span('b', 'failed'), { text: 'c', tone: 'failed', bold: true }, span('')],
    theme,
  );
  expect(painted).toBe('a\u001b[91mb\u001b[0m\u001b[91;1mc\u001b[0m');
});
