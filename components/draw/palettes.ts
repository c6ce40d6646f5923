/** The meaning of a piece of text. A palette decides its look (`components/README.md`, Colour). */
export const tones = [
  'text',
  /** Titles, reasons, times, the words of the footer. */
  'secondary',
  /** Rules, borders, the edges of a graph: seen, not read. */
  'furniture',
  'now',
  'needs-you',
  'done',
  'failed',
  'held',
  /** Keys and the focus. */
  'accent',
  /** The longest chain, and what a task blocks. */
  'chain',
] as const;

export type Tone = (typeof tones)[number];

/** Backgrounds: of the row under the cursor, with and without the focus, and of changed words. */
export const grounds = ['selection', 'selection-weak', 'added', 'removed'] as const;

export type Ground = (typeof grounds)[number];

/** Colours as `#rrggbb`. */
type Palette = { readonly [name in Tone | Ground]: string };

/** A person's own colours: those it leaves out are the standard palette's. */
export type Skin = { readonly [name in Tone | Ground]?: string };

export const paletteNames = ['standard', 'high-contrast', 'solarized'] as const;
export type PaletteName = (typeof paletteNames)[number];

export const palettes: {
  readonly [name in PaletteName]: { readonly [background in 'dark' | 'light']: Palette };
} = {
  standard: {
    dark: {
      text: '#d4d7dd',
      secondary: '#979eab',
      furniture: '#4c5260',
      now: '#7dcfff',
      'needs-you': '#ff9e64',
      done: '#9ece6a',
      failed: '#f7768e',
      held: '#e0af68',
      accent: '#82aaff',
      chain: '#c3a0ff',
      selection: '#29324a',
      'selection-weak': '#262b36',
      added: '#1f4321',
      removed: '#5c1c2c',
    },
    light: {
      text: '#24292f',
      secondary: '#575e6a',
      furniture: '#b7bcc4',
      now: '#005f9e',
      'needs-you': '#ad4400',
      done: '#2f6f22',
      failed: '#b3203f',
      held: '#835400',
      accent: '#1d4fc0',
      chain: '#7538ae',
      selection: '#dbe6fb',
      'selection-weak': '#eceff4',
      added: '#cdf0c3',
      removed: '#ffdce2',
    },
  },
  'high-contrast': {
    dark: {
      text: '#ffffff',
      secondary: '#d0d0d0',
      furniture: '#808080',
      now: '#5fd7ff',
      'needs-you': '#ffaf00',
      done: '#5fff5f',
      failed: '#ff7b7b',
      held: '#ffff5f',
      accent: '#9fc0ff',
      chain: '#ff9fff',
      selection: '#00306b',
      'selection-weak': '#303030',
      added: '#005f00',
      removed: '#870000',
    },
    light: {
      text: '#000000',
      secondary: '#303030',
      furniture: '#767676',
      now: '#004f8f',
      'needs-you': '#8f3400',
      done: '#0a5c0a',
      failed: '#a0001e',
      held: '#634000',
      accent: '#0033a0',
      chain: '#5a1a8a',
      selection: '#bcd6ff',
      'selection-weak': '#e4e4e4',
      added: '#b8f0b0',
      removed: '#ffc4cc',
    },
  },
  solarized: {
    dark: {
      text: '#b8c4c4',
      secondary: '#95a6a7',
      furniture: '#3f5f68',
      now: '#35b5ab',
      'needs-you': '#f0874f',
      done: '#9bb010',
      failed: '#f6807c',
      held: '#cfa82c',
      accent: '#52a9e8',
      chain: '#a6aae6',
      selection: '#0a3b49',
      'selection-weak': '#06323d',
      added: '#1d4a1d',
      removed: '#5a2430',
    },
    light: {
      text: '#3d4f56',
      secondary: '#4f636b',
      furniture: '#b9b9a8',
      now: '#126d67',
      'needs-you': '#ac3d0a',
      done: '#596700',
      failed: '#b92226',
      held: '#785b00',
      accent: '#1a679f',
      chain: '#5358a8',
      selection: '#d9e4d6',
      'selection-weak': '#eee8d5',
      added: '#d3e8b0',
      removed: '#f7d3cc',
    },
  },
};

/**
 * SGR parameters where a terminal has sixteen colours: the person's own settings of them. Cyan, green and yellow are not read on white; `either` has only
 * colours that are read on white and on black, for a ground that the terminal does not tell.
 */
export const sixteen: {
  readonly [background in 'dark' | 'light' | 'either']: { readonly [name in Tone | Ground]: string };
} = {
  either: {
    text: '',
    secondary: '',
    furniture: '90',
    now: '1;94',
    'needs-you': '1;35',
    done: '90',
    failed: '91',
    held: '1;90',
    accent: '94',
    chain: '35',
    selection: '7',
    'selection-weak': '1',
    added: '1;4',
    removed: '1;4',
  },
  dark: {
    text: '',
    secondary: '37',
    furniture: '90',
    now: '36',
    'needs-you': '93',
    done: '32',
    failed: '91',
    held: '33',
    accent: '94',
    chain: '35',
    selection: '7',
    'selection-weak': '1',
    added: '1;4',
    removed: '1;4',
  },
  light: {
    text: '',
    secondary: '90',
    furniture: '37',
    now: '1;34',
    'needs-you': '1;35',
    done: '90',
    failed: '31',
    held: '1;90',
    accent: '34',
    chain: '35',
    selection: '7',
    'selection-weak': '1',
    added: '1;4',
    removed: '1;4',
  },
};

/** The grounds on which a palette is shown beside others; the screen itself paints none. */
export const shownOn: {
  readonly [name in PaletteName]: { readonly [background in 'dark' | 'light']: string };
} = {
  standard: { dark: '#1a1b26', light: '#ffffff' },
  'high-contrast': { dark: '#000000', light: '#ffffff' },
  solarized: { dark: '#002b36', light: '#fdf6e3' },
};

/** Without colours, weight and lines say it (NO_COLOR). */
export const colourless: { readonly [name in Tone | Ground]: string } = {
  text: '',
  secondary: '',
  furniture: '',
  now: '1',
  'needs-you': '1',
  done: '',
  failed: '1',
  held: '',
  accent: '',
  chain: '',
  selection: '7',
  'selection-weak': '',
  added: '4',
  removed: '4',
};
