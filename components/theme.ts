import type { TaskLook } from '../src/store/tasks/task-status.ts';

/** The terminal's drawing abilities. The cli decides them once from flags, configuration and environment. */
export interface ThemeOptions {
  /** `none`: NO_COLOR, only shapes and words. */
  readonly colours: 'none' | '16' | '256' | 'true';
  readonly ascii: boolean;
  readonly background: 'dark' | 'light';
}

/** The meaning of a piece of text. The theme decides its look. */
export type Tone = 'plain' | 'quiet' | 'accent' | 'good' | 'bad' | 'warn' | 'you';

export interface Theme {
  readonly options: ThemeOptions;
  /** The SGR code of each tone; '' is the terminal's own text. */
  readonly codes: { readonly [tone in Tone]: string };
  /** A glyph and a tone for each look. The glyphs differ without colour. */
  readonly looks: { readonly [look in TaskLook]: { readonly glyph: string; readonly tone: Tone } };
  readonly glyphs: Glyphs;
  /** SGR codes of the words of a line that were added, and of those removed. They add to the line's tone. */
  readonly words: Words;
}

interface Words {
  readonly added: string;
  readonly removed: string;
}

export interface Glyphs {
  readonly rule: string;
  /** The rule over the pane with the focus. */
  readonly focusRule: string;
  readonly bar: string;
  readonly teeDown: string;
  readonly cross: string;
  readonly corners: readonly [string, string, string, string];
  readonly branch: string;
  readonly lastBranch: string;
  /** The branch on the longest remaining chain. */
  readonly chainBranch: string;
  readonly lastChainBranch: string;
  /** The branch to a part of a split task. The part does not wait for that task. */
  readonly partBranch: string;
  readonly ellipsis: string;
  /** Behind each line of a command but the last. */
  readonly lineBreak: string;
  readonly cursor: string;
  readonly yes: string;
  readonly no: string;
  readonly run: string;
  readonly chosen: string;
  readonly unchosen: string;
  readonly prompt: string;
  /** More lies beyond this edge: left, right, above, below. */
  readonly beyond: { readonly [edge in 'left' | 'right' | 'above' | 'below']: string };
  /** Replaces the prompt of a command whose output is folded. */
  readonly folded: string;
}

type Palette = { readonly [tone in Exclude<Tone, 'plain' | 'quiet'>]: string };

/** SGR codes by depth and background. The terminal's own sixteen colours keep the person's settings. */
const palettes: {
  readonly [depth in ThemeOptions['colours']]: { readonly [ground in ThemeOptions['background']]: Palette };
} = {
  none: {
    dark: { accent: '', good: '', bad: '', warn: '', you: '' },
    light: { accent: '', good: '', bad: '', warn: '', you: '' },
  },
  '16': {
    dark: { accent: '36', good: '32', bad: '31', warn: '33', you: '35' },
    light: { accent: '34', good: '32', bad: '31', warn: '33', you: '35' },
  },
  '256': {
    dark: { accent: '38;5;117', good: '38;5;149', bad: '38;5;204', warn: '38;5;179', you: '38;5;215' },
    light: { accent: '38;5;25', good: '38;5;22', bad: '38;5;125', warn: '38;5;94', you: '38;5;90' },
  },
  true: {
    dark: {
      accent: '38;2;125;207;255',
      good: '38;2;158;206;106',
      bad: '38;2;247;118;142',
      warn: '38;2;224;175;104',
      you: '38;2;255;158;100',
    },
    light: {
      accent: '38;2;0;95;158',
      good: '38;2;59;122;30',
      bad: '38;2;179;32;63',
      warn: '38;2;143;94;0',
      you: '38;2;179;71;0',
    },
  },
};

/** A ground for changed words where colours are known; else a line under them, which tells them from what a search found. */
const words: {
  readonly [depth in ThemeOptions['colours']]: { readonly [ground in ThemeOptions['background']]: Words };
} = {
  none: { dark: { added: '4', removed: '4' }, light: { added: '4', removed: '4' } },
  '16': { dark: { added: '1;4', removed: '1;4' }, light: { added: '1;4', removed: '1;4' } },
  '256': {
    dark: { added: '48;5;22', removed: '48;5;52' },
    light: { added: '48;5;194', removed: '48;5;225' },
  },
  true: {
    dark: { added: '48;2;31;67;33', removed: '48;2;92;28;44' },
    light: { added: '48;2;205;240;195', removed: '48;2;255;220;226' },
  },
};

const unicodeGlyphs: Glyphs = {
  rule: '─',
  focusRule: '━',
  bar: '│',
  teeDown: '┬',
  cross: '┼',
  corners: ['╭', '╮', '╰', '╯'],
  branch: '├',
  lastBranch: '└',
  chainBranch: '┝',
  lastChainBranch: '┕',
  partBranch: '┆',
  ellipsis: '…',
  lineBreak: '↵',
  cursor: '▌',
  yes: '✓',
  no: '✗',
  run: '▸',
  chosen: '◉',
  unchosen: '○',
  prompt: '$',
  beyond: { left: '‹', right: '›', above: '▴', below: '▾' },
  folded: '›',
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
  chainBranch: '#',
  lastChainBranch: '#',
  partBranch: ':',
  ellipsis: '~',
  lineBreak: '\\n',
  cursor: '>',
  yes: '+',
  no: 'x',
  run: '>',
  chosen: '*',
  unchosen: 'o',
  prompt: '$',
  beyond: { left: '<', right: '>', above: '^', below: 'v' },
  folded: '>',
};

const looks: { readonly [look in TaskLook]: readonly [string, string, Tone] } = {
  ready: ['○', 'o', 'plain'],
  waiting: ['·', '.', 'quiet'],
  unreachable: ['⊘', '!', 'bad'],
  running: ['▸', '/', 'accent'],
  asks: ['?', '?', 'you'],
  paused: ['‖', '=', 'warn'],
  'to-review': ['◇', 'p', 'warn'],
  reviewing: ['◆', 'P', 'accent'],
  again: ['↻', 'r', 'warn'],
  done: ['✓', '+', 'good'],
  failed: ['✗', 'x', 'bad'],
  cancelled: ['–', 'C', 'quiet'],
  replaced: ['⇢', '>', 'quiet'],
};

export const createTheme = (options: ThemeOptions): Theme => {
  const glyph = (look: TaskLook) => ({ glyph: looks[look][options.ascii ? 1 : 0], tone: looks[look][2] });
  return {
    options,
    codes: { plain: '', quiet: '2', ...palettes[options.colours][options.background] },
    looks: {
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
    },
    glyphs: options.ascii ? asciiGlyphs : unicodeGlyphs,
    words: words[options.colours][options.background],
  };
};
