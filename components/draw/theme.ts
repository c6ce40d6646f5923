import { lookSigns } from '../../src/words/look-signs.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from './glyphs.ts';
import {
  colourless,
  type Ground,
  type PaletteName,
  palettes,
  type Skin,
  sixteen,
  type Tone,
} from './palettes.ts';
import { palettes256 } from './palettes-256.ts';

/** The terminal's drawing abilities and the person's colours. The cli decides them from flags, configuration and environment. */
export interface ThemeOptions {
  /** `none`: NO_COLOR, only shapes and words. */
  readonly colours: 'none' | '16' | '256' | 'true';
  readonly ascii: boolean;
  readonly background: 'dark' | 'light';
  /** Nobody told the background: the colours must be read on both. */
  readonly isGuess?: boolean;
  /** Absent is the standard palette. A skin replaces colours of that. */
  readonly palette?: PaletteName | Skin;
}

export interface Theme {
  readonly options: ThemeOptions;
  /** The SGR parameters of each tone; '' is the terminal's own text. */
  readonly codes: { readonly [tone in Tone]: string };
  /** SGR parameters of the backgrounds. They add to a tone. */
  readonly grounds: { readonly [ground in Ground]: string };
  /** A glyph and a tone for each look. The glyphs differ without colour. */
  readonly looks: { readonly [look in TaskLook]: { readonly glyph: string; readonly tone: Tone } };
  readonly glyphs: Glyphs;
  /** Weight and the colours of programs are left out as well. */
  readonly isBehind?: true;
}

export const createTheme = (options: ThemeOptions): Theme => {
  const tone = (name: Tone): string => codeOf(name, 38, options);
  const ground = (name: Ground): string => codeOf(name, 48, options);
  return {
    options,
    codes: {
      text: tone('text'),
      secondary: tone('secondary'),
      furniture: tone('furniture'),
      now: tone('now'),
      'needs-you': tone('needs-you'),
      done: tone('done'),
      failed: tone('failed'),
      held: tone('held'),
      accent: tone('accent'),
      chain: tone('chain'),
    },
    grounds: {
      selection: ground('selection'),
      'selection-weak': ground('selection-weak'),
      added: ground('added'),
      removed: ground('removed'),
    },
    looks: looksOf(options.ascii),
    glyphs: options.ascii ? asciiGlyphs : unicodeGlyphs,
  };
};

/** The SGR parameters of a colour at the terminal's depth; 38 is for text, 48 for a background. */
const codeOf = (
  name: Tone | Ground,
  place: 38 | 48,
  { colours, background, isGuess = false, palette = 'standard' }: ThemeOptions,
): string => {
  if (colours === 'none') return colourless[name];
  if (isGuess && (colours === '16' || palette === 'standard')) return sixteen.either[name];
  if (colours === '16') return sixteen[background][name];
  const own = typeof palette === 'string' ? undefined : palette[name];
  const base = typeof palette === 'string' ? palette : 'standard';
  if (colours === 'true') return `${place};2;${rgbOf(own ?? palettes[base][background][name]).join(';')}`;
  const number = own === undefined ? palettes256[base][background][name] : nearest(rgbOf(own));
  return `${place};5;${number}`;
};

type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (hex: string): Rgb => {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};

/** The nearest of the 256 colours: of the cube, or of the greys for a colour that is more grey than hue. */
const nearest = (rgb: Rgb): number => {
  const [red, green, blue] = rgb.map((part) =>
    part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40),
  );
  const cube = 16 + 36 * (red ?? 0) + 6 * (green ?? 0) + (blue ?? 0);
  const most = Math.max(...rgb);
  if (most - Math.min(...rgb) > most / 2) return cube;
  const mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
  const grey = 232 + Math.max(0, Math.min(23, Math.round((mean - 8) / 10)));
  return distance(rgb, colourOf(grey)) < distance(rgb, colourOf(cube)) ? grey : cube;
};

const colourOf = (number: number): Rgb => {
  if (number >= 232) return [8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10];
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const cube = number - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
};

const distance = (one: Rgb, other: Rgb): number =>
  (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

/** The theme of what is behind an overlay: seen, and not read. */
export const behind = (theme: Theme): Theme => {
  const { furniture } = theme.codes;
  const codes: Theme['codes'] = {
    text: furniture,
    secondary: furniture,
    furniture,
    now: furniture,
    'needs-you': furniture,
    done: furniture,
    failed: furniture,
    held: furniture,
    accent: furniture,
    chain: furniture,
  };
  const grounds = { selection: '', 'selection-weak': '', added: '', removed: '' };
  return { ...theme, codes, grounds, isBehind: true };
};

/** A glyph and a tone for each look. */
const looksOf = (ascii: boolean): Theme['looks'] => {
  const glyph = (look: TaskLook) => ({ glyph: lookSigns[look][ascii ? 1 : 0], tone: lookSigns[look][2] });
  return {
    ready: glyph('ready'),
    waiting: glyph('waiting'),
    unreachable: glyph('unreachable'),
    running: glyph('running'),
    asks: glyph('asks'),
    paused: glyph('paused'),
    'to-review': glyph('to-review'),
    reviewing: glyph('reviewing'),
    again: glyph('again'),
    done: glyph('done'),
    failed: glyph('failed'),
    cancelled: glyph('cancelled'),
    replaced: glyph('replaced'),
    commented: glyph('commented'),
  };
};

/** Without colours. */
export const plainTheme = createTheme({ colours: 'none', ascii: false, background: 'dark' });
