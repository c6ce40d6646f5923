import type { TaskLook } from '../src/store/select-tasks.ts';

/** How the terminal can draw: decided once by the cli from flags, configuration and environment. */
export interface ThemeOptions {
  /** `none`: NO_COLOR, shapes and words only. */
  readonly colours: 'none' | '16' | '256' | 'true';
  readonly ascii: boolean;
  readonly background: 'dark' | 'light';
}

/** What a piece of text means; the theme says how that looks. */
export type Tone = 'plain' | 'quiet' | 'accent' | 'good' | 'bad' | 'warn' | 'you';

export interface Theme {
  readonly options: ThemeOptions;
  /** An Ink colour, or `undefined` for the terminal's own. */
  readonly colours: { readonly [tone in Tone]: string | undefined };
  /** A shape for each look: they differ without any colour. */
  readonly looks: { readonly [look in TaskLook]: { readonly glyph: string; readonly tone: Tone } };
  readonly glyphs: Glyphs;
}

export interface Glyphs {
  readonly rule: string;
  /** The rule over the pane that has the keys. */
  readonly focusRule: string;
  readonly bar: string;
  readonly teeDown: string;
  readonly cross: string;
  readonly corners: readonly [string, string, string, string];
  readonly branch: string;
  readonly lastBranch: string;
  readonly ellipsis: string;
  readonly cursor: string;
  readonly yes: string;
  readonly no: string;
  readonly run: string;
  readonly chosen: string;
  readonly unchosen: string;
  readonly prompt: string;
}

type Palette = { readonly [tone in Exclude<Tone, 'plain' | 'quiet'>]: string };

const darkPalette: Palette = {
  accent: '#7dcfff',
  good: '#9ece6a',
  bad: '#f7768e',
  warn: '#e0af68',
  you: '#ff9e64',
};
const lightPalette: Palette = {
  accent: '#005f9e',
  good: '#3b7a1e',
  bad: '#b3203f',
  warn: '#8f5e00',
  you: '#b34700',
};
/** Names of the terminal's own sixteen colours keep to whatever a person made of them. */
const namedPalette: Palette = { accent: 'cyan', good: 'green', bad: 'red', warn: 'yellow', you: 'magenta' };

const unicodeGlyphs: Glyphs = {
  rule: '─',
  focusRule: '━',
  bar: '│',
  teeDown: '┬',
  cross: '┼',
  corners: ['╭', '╮', '╰', '╯'],
  branch: '├',
  lastBranch: '└',
  ellipsis: '…',
  cursor: '▌',
  yes: '✓',
  no: '✗',
  run: '▸',
  chosen: '◉',
  unchosen: '○',
  prompt: '$',
};

const asciiGlyphs: Glyphs = {
  rule: '-',
  focusRule: '=',
  bar: '|',
  teeDown: '+',
  cross: '+',
  corners: ['+', '+', '+', '+'],
  branch: '|',
  lastBranch: '`',
  ellipsis: '~',
  cursor: '>',
  yes: '+',
  no: 'x',
  run: '>',
  chosen: '*',
  unchosen: 'o',
  prompt: '$',
};

const looks: { readonly [look in TaskLook]: readonly [string, string, Tone] } = {
  ready: ['○', 'o', 'plain'],
  waiting: ['·', '.', 'quiet'],
  unreachable: ['⊘', '!', 'bad'],
  running: ['▸', '/', 'accent'],
  paused: ['‖', '=', 'warn'],
  'to-review': ['◇', 'p', 'warn'],
  reviewing: ['◆', 'P', 'accent'],
  again: ['↻', 'r', 'warn'],
  done: ['✓', 'x', 'good'],
  failed: ['✗', 'F', 'bad'],
  cancelled: ['–', 'C', 'quiet'],
  replaced: ['⇢', '>', 'quiet'],
};

export const createTheme = (options: ThemeOptions): Theme => {
  const palette =
    options.colours === 'none'
      ? null
      : options.colours === '16'
        ? namedPalette
        : options.background === 'light'
          ? lightPalette
          : darkPalette;
  const glyph = (look: TaskLook) => ({ glyph: looks[look][options.ascii ? 1 : 0], tone: looks[look][2] });
  return {
    options,
    colours: {
      plain: undefined,
      quiet: undefined,
      accent: palette?.accent,
      good: palette?.good,
      bad: palette?.bad,
      warn: palette?.warn,
      you: palette?.you,
    },
    looks: {
      ready: glyph('ready'),
      waiting: glyph('waiting'),
      unreachable: glyph('unreachable'),
      running: glyph('running'),
      paused: glyph('paused'),
      'to-review': glyph('to-review'),
      reviewing: glyph('reviewing'),
      again: glyph('again'),
      done: glyph('done'),
      failed: glyph('failed'),
      cancelled: glyph('cancelled'),
      replaced: glyph('replaced'),
    },
    glyphs: options.ascii ? asciiGlyphs : unicodeGlyphs,
  };
};
