import type { StyleRun } from '../../src/words/styled-text.ts';
import type { Line, Span } from './span.ts';
import type { Theme, ThemeOptions } from './theme.ts';

/** Program output in its own colours, as far as the terminal has them. NO_COLOR removes them. */
export const styledSpans = (
  text: string,
  styles: readonly StyleRun[] | undefined,
  { options: { colours: depth }, codes }: Theme,
): Line => {
  if (styles === undefined || styles.length === 0 || depth === 'none') return [{ text }];
  const spans: Span[] = [{ text: text.slice(0, styles[0]?.from) }];
  styles.forEach((style, index) => {
    spans.push({
      text: text.slice(style.from, styles[index + 1]?.from),
      sgr: reduced(style.codes, depth, codes.secondary),
    });
  });
  return spans;
};

/** SGR parameters in at most the terminal's depth: `38;2;…` becomes one of 256 or 16 colours. */
const reduced = (codes: string, depth: ThemeOptions['colours'], faint: string): string => {
  const parts = codes.split(';').map((part) => Number(part) || 0);
  const out: number[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const code = parts[index] ?? 0;
    const kind = parts[index + 1];
    if (code === 0) out.length = 0;
    // Terminals draw faint text at 40 to 66 %, or not at all.
    else if (code === 2) out.push(...faint.split(';').filter(Boolean).map(Number));
    else if (code === 22) out.push(22, 39);
    else if ((code === 38 || code === 48) && kind === 2) {
      const [red = 0, green = 0, blue = 0] = parts.slice(index + 2, index + 5);
      out.push(...colourOf(code, [red, green, blue], depth));
      index += 4;
    } else if ((code === 38 || code === 48) && kind === 5) {
      const number = parts[index + 2] ?? 0;
      out.push(...(depth === '16' ? near16(code, rgbOf(number)) : [code, 5, number]));
      index += 2;
    } else if (allowed(code)) out.push(code);
  }
  return out.join(';');
};

/** Excludes blinking, hidden text and other fonts, which a log should not set. */
const allowed = (code: number): boolean =>
  [1, 3, 4, 7, 9, 21, 23, 24, 27, 29].includes(code) ||
  (code >= 30 && code <= 49) ||
  (code >= 90 && code <= 107);

type Rgb = readonly [number, number, number];

const colourOf = (ground: number, rgb: Rgb, depth: ThemeOptions['colours']): readonly number[] => {
  if (depth === 'true') return [ground, 2, ...rgb];
  if (depth === '16') return near16(ground, rgb);
  const [red, green, blue] = rgb.map((part) => Math.round((Math.min(255, part) / 255) * 5));
  return [ground, 5, 16 + 36 * (red ?? 0) + 6 * (green ?? 0) + (blue ?? 0)];
};

/** The nearest of the terminal's eight colours, bright for a bright one. */
const near16 = (ground: number, rgb: Rgb): readonly number[] => {
  const strongest = Math.max(...rgb);
  const bits = rgb.reduce(
    (sum, part, index) => sum + (part * 2 > strongest && strongest > 60 ? 1 << index : 0),
    0,
  );
  return [(ground === 38 ? 30 : 40) + bits + (strongest > 190 ? 60 : 0)];
};

const rgbOf = (number: number): Rgb => {
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10;
    return [grey, grey, grey];
  }
  if (number < 16) {
    const part = (bit: number): number => (number & bit ? (number > 7 ? 255 : 128) : 0);
    return [part(1), part(2), part(4)];
  }
  const cube = number - 16;
  const part = (size: number): number => Math.round(((Math.floor(cube / size) % 6) / 5) * 255);
  return [part(36), part(6), part(1)];
};
