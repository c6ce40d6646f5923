import { expect, test } from 'vitest';
import { grounds, paletteNames, palettes, sixteen, tones } from '../../components/draw/palettes.ts';
import { createTheme } from '../../components/draw/theme.ts';
import { contrast, type Rgb, rgbOf, rgbOfHex } from '../helpers/contrast.ts';

test.each(paletteNames)('every tone of %s that is read is read under the cursor, too', (name) => {
  for (const background of ['dark', 'light'] as const) {
    const palette = palettes[name][background];
    const ratios = (['selection', 'selection-weak'] as const).flatMap((ground) =>
      tones
        .filter((tone) => tone !== 'furniture')
        .map((tone) => ({
          tone,
          ground,
          ratio: contrast(rgbOfHex(palette[tone]), rgbOfHex(palette[ground])),
        })),
    );
    expect(ratios.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
  }
});

/** How far a colour is from grey: 0 to 1. */
const saturation = (rgb: Rgb): number => (Math.max(...rgb) - Math.min(...rgb)) / Math.max(...rgb);

/** The colour of an SGR code that names one. */
const seen = (code: string): Rgb => rgbOf(code) ?? [0, 0, 0];

const variants = paletteNames.flatMap((name) =>
  (['dark', 'light'] as const).map((background) => [name, background] as const),
);

test.each(variants)('%s on %s ground keeps its meaning in 256 colours', (palette, background) => {
  const exact = palettes[palette][background];
  const { codes, grounds: under } = createTheme({ colours: '256', ascii: false, background, palette });
  const drawn = { ...codes, ...under };
  expect(new Set(tones.map((tone) => codes[tone])).size).toBe(tones.length);
  expect(new Set(grounds.map((ground) => under[ground])).size).toBe(grounds.length);
  const greyed = [...tones, 'added', 'removed'] as const;
  expect(
    greyed.filter((name) => saturation(rgbOfHex(exact[name])) > 0.5 && saturation(seen(drawn[name])) < 0.3),
  ).toEqual([]);
  for (const ground of ['added', 'removed'] as const)
    expect(saturation(seen(under[ground])), ground).toBeGreaterThan(0.1);
  const read = [
    ...tones
      .filter((tone) => tone !== 'furniture')
      .flatMap((tone) => [[tone, 'selection'] as const, [tone, 'selection-weak'] as const]),
    ['done', 'added'] as const,
    ['failed', 'removed'] as const,
  ].map(([tone, ground]) => ({ tone, ground, ratio: contrast(seen(codes[tone]), seen(under[ground])) }));
  expect(read.filter(({ ratio }) => ratio < 3.7)).toEqual([]);
});

test('a colour of a skin stays a colour in 256 colours', () => {
  const palette = { done: '#2f6f22', added: '#1f4321', secondary: '#575e6a' };
  const theme = createTheme({ colours: '256', ascii: false, background: 'light', palette });
  expect(theme.codes.done).toBe('38;5;22');
  expect(theme.grounds.added).toBe('48;5;22');
  expect(saturation(seen(theme.codes.secondary))).toBe(0);
});

/** The sixteen colours as xterm has them. */
const xterm: Readonly<Record<string, string>> = {
  '31': '#cd0000',
  '32': '#00cd00',
  '33': '#cdcd00',
  '34': '#0000ee',
  '35': '#cd00cd',
  '36': '#00cdcd',
  '37': '#e5e5e5',
  '90': '#7f7f7f',
  '91': '#ff0000',
  '93': '#ffff00',
  '94': '#5c5cff',
};

test.each([
  ['light', ['#ffffff']],
  ['either', ['#ffffff', '#000000']],
] as const)('of the sixteen colours those for %s ground are read on it', (name, under) => {
  const unread = tones
    .filter((tone) => tone !== 'furniture')
    .flatMap((tone) => {
      const colour = xterm[sixteen[name][tone].replace(/^1;/, '')];
      return colour === undefined
        ? []
        : under.map((ground) => [tone, contrast(rgbOfHex(colour), rgbOfHex(ground))]);
    })
    .filter(([, ratio]) => Number(ratio) < 3.9);
  expect(unread).toEqual([]);
});

test('a ground that nobody told takes the colours that are read on both, unless a theme was chosen', () => {
  const guess = { ascii: false, background: 'dark', isGuess: true } as const;
  for (const colours of ['16', '256', 'true'] as const)
    expect(createTheme({ ...guess, colours, palette: 'standard' }).codes.now).toBe(sixteen.either.now);
  expect(createTheme({ ...guess, colours: 'true', palette: 'solarized' }).codes.now).toBe('38;2;53;181;171');
});
