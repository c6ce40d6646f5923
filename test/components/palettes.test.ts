import { expect, test } from 'vitest';
import { paletteNames, palettes, tones } from '../../components/palettes.ts';

/** WCAG 2: relative luminance of a colour as `#rrggbb`. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test.each(paletteNames)('every tone of %s that is read is read under the cursor, too', (name) => {
  for (const background of ['dark', 'light'] as const) {
    const palette = palettes[name][background];
    const ratios = (['selection', 'selection-weak'] as const).flatMap((ground) =>
      tones
        .filter((tone) => tone !== 'furniture')
        .map((tone) => ({ tone, ground, ratio: contrast(palette[tone], palette[ground]) })),
    );
    expect(ratios.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
  }
});
