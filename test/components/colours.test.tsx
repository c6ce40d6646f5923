import { describe, expect, onTestFinished, test } from 'vitest';
import { type PaletteName, paletteNames, type Tone, tones } from '../../components/draw/palettes.ts';
import { createTheme, type ThemeOptions } from '../../components/draw/theme.ts';
import { contrast, type Rgb, rgbOf } from '../helpers/contrast.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { openScene, type Scene } from '../helpers/scenes/scene.ts';
import type { TestScreen } from '../helpers/screen.tsx';
import { isLongForm } from '../helpers/test-form.ts';

const drawn = async (scene: Scene, theme: Partial<ThemeOptions>, columns = 120, rows = 36) => {
  const screen = await openScene(scene, { columns, rows, theme });
  onTestFinished(screen.unmount);
  return screen;
};

/** The parameters of every SGR sequence, `38;5;117` as one. */
const styles = (text: string): readonly string[] =>
  [...text.matchAll(/\u001b\[([\d;]*)m/g)].flatMap((match) =>
    [...(match[1] ?? '').matchAll(/[34]8;(?:5;\d+|2;\d+;\d+;\d+)|\d+/g)].map(([code]) => code),
  );

const isColour = (code: string): boolean => /^(?:[349]\d|10[0-7]|[34]8;.*)$/.test(code);

/** The codes of our colours in the theme that the screen wears now. */
const ourColours = (screen: TestScreen): readonly string[] => styles(screen.styled().ours).filter(isColour);

/** The words of a frame. Code within a sentence stands between backticks where no colour marks it, so lines may break elsewhere. */
const wordsOf = (frame: string): readonly string[] =>
  frame
    .replaceAll('`', '')
    .replace(/[│┃╭╮╰╯─━┬┴├┤|+-]/g, ' ')
    .split(/\s+/)
    .toSorted();

/** The light one draws the same lines in other codes: `palettes.test.ts` looks at both. */
const backgrounds = isLongForm ? (['dark', 'light'] as const) : (['dark'] as const);

/** Colours of fewer bits than the theme's. The short form looks at both in turn, a scene at one of them. */
const depthsOf = (scene: Scene): readonly ('16' | '256')[] =>
  isLongForm ? ['16', '256'] : [scenes.indexOf(scene) % 2 === 0 ? '16' : '256'];

describe('colours, in every scene', () => {
  test.each(scenes)(
    '$name has none with NO_COLOR, says as much without them, keeps to the depth of the terminal, and to ASCII',
    async (scene) => {
      const screen = await drawn(scene, { colours: 'none' });
      expect(styles(screen.styled().ours).filter(isColour)).toEqual([]);
      const uncoloured = wordsOf(screen.frame());
      await screen.dress({ colours: 'true' });
      expect(wordsOf(screen.frame())).toEqual(uncoloured);
      const depths = depthsOf(scene);
      if (depths.includes('16')) {
        await screen.dress({ colours: '16' });
        expect(ourColours(screen).filter((code) => /^[34]8;/.test(code))).toEqual([]);
      }
      for (const background of depths.includes('256') ? backgrounds : []) {
        await screen.dress({ colours: '256', background });
        const { codes } = createTheme({ colours: '256', ascii: false, background });
        const deep = ourColours(screen).filter((code) => /^[34]8;/.test(code));
        expect(deep.filter((code) => /^[34]8;2;/.test(code))).toEqual([]);
        // What a program printed has its own colours; what is ours is the theme's.
        if (!scene.name.startsWith('output'))
          expect(Object.values(codes)).toEqual(
            expect.arrayContaining(deep.filter((code) => code.startsWith('38;5;'))),
          );
      }
      await screen.dress({ colours: 'none', ascii: true });
      expect(oddSigns(screen, scene)).toBe('');
    },
  );

  test('the theme is used: somewhere each of its tones stands', async () => {
    const theme = { colours: 'true', background: 'light' } as const;
    const unseen = new Set(Object.values(createTheme({ ...theme, ascii: false }).codes));
    unseen.delete('');
    for (const scene of scenes) {
      if (unseen.size === 0) break;
      const screen = await openScene(scene, { columns: 200, rows: 50, theme });
      for (const code of styles(screen.styled().ours)) unseen.delete(code);
      screen.unmount();
    }
    expect([...unseen]).toEqual([]);
  });
});

/** What the story and its files hold is none of ours: agents write as they like. */
const foreign = (scene: Scene): string =>
  `${JSON.stringify([scene.story?.().events ?? [], scene.options?.previews ?? {}])}${scene.foreign ?? ''}à ạ ✅ ❌`;

/** Signs of ours on the screen that are not ASCII. */
const oddSigns = (screen: TestScreen, scene: Scene): string => {
  const known = foreign(scene);
  return [...new Set(screen.frame().replace(/[\n\x20-\x7e]/g, ''))]
    .filter((sign) => !known.includes(sign))
    .join('');
};

// The largest screen shows the most signs; the size that people have is drawn above.
describe.runIf(isLongForm).each([[200, 50]])('in plain ASCII at %i×%i', (columns, rows) => {
  test.each(scenes)('$name holds no sign of ours that is not', async (scene) => {
    expect(oddSigns(await drawn(scene, { ascii: true }, columns, rows), scene)).toBe('');
  });
});

const grounds: { readonly [background in ThemeOptions['background']]: Readonly<Record<string, Rgb>> } = {
  dark: { black: [0, 0, 0], 'VS Code': [30, 30, 30], 'Solarized Dark': [0, 43, 54], Dracula: [40, 42, 54] },
  light: { white: [255, 255, 255], 'GitHub Light': [246, 248, 250], 'Solarized Light': [253, 246, 227] },
};

describe.each(['dark', 'light'] as const)('on %s ground', (background) => {
  const seen = (palette: PaletteName) =>
    Object.entries(grounds[background]).filter(
      ([name]) => palette !== 'solarized' || name.startsWith('Solarized'),
    );
  const ratios = (colours: 'true' | '256', palette: PaletteName, tones: readonly Tone[]) => {
    const { codes } = createTheme({ colours, ascii: false, background, palette });
    return seen(palette).flatMap(([name, ground]) =>
      tones.flatMap((tone) => {
        const rgb = rgbOf(codes[tone]);
        return rgb === null ? [] : [{ tone: `${tone} on ${name}`, ratio: contrast(rgb, ground) }];
      }),
    );
  };

  test.each(paletteNames)('every tone of %s that is read has a contrast of 4.5 or more', (palette) => {
    for (const colours of ['true', '256'] as const) {
      const read = ratios(
        colours,
        palette,
        tones.filter((tone) => tone !== 'furniture'),
      );
      expect(read.filter(({ ratio }) => ratio < (colours === 'true' ? 4.5 : 4.2))).toEqual([]);
    }
  });

  test.each(paletteNames)('the furniture of %s is seen and does not compete', (palette) => {
    const lines = ratios('true', palette, ['furniture']);
    const most = palette === 'high-contrast' ? 6 : 3;
    expect(lines.filter(({ ratio }) => ratio < 1.5 || ratio > most)).toEqual([]);
  });

  test.each(paletteNames)('what is read is read on the row under the cursor of %s, too', (palette) => {
    const { codes, grounds: under } = createTheme({ colours: 'true', ascii: false, background, palette });
    const [selection, secondary] = [rgbOf(under.selection), rgbOf(codes.secondary)];
    expect(selection && secondary && contrast(selection, secondary)).toBeGreaterThanOrEqual(4.2);
  });
});
