/** The colours of the terminal itself, for players and pictures. */
export interface Ground {
  readonly background: string;
  readonly foreground: string;
  /** The sixteen colours that programs name by number. */
  readonly palette: readonly string[];
}

export const grounds: { readonly [background in 'dark' | 'light']: Ground } = {
  dark: {
    background: '#16181d',
    foreground: '#d4d7dd',
    palette: [
      '#16181d',
      '#e06c75',
      '#98c379',
      '#e5c07b',
      '#61afef',
      '#c678dd',
      '#56b6c2',
      '#abb2bf',
      '#7f848e',
      '#ff7b86',
      '#b5e890',
      '#ffd68a',
      '#7fc1ff',
      '#dd9bef',
      '#7fd5df',
      '#ffffff',
    ],
  },
  light: {
    background: '#ffffff',
    foreground: '#24292f',
    palette: [
      '#24292f',
      '#cf222e',
      '#116329',
      '#7d4e00',
      '#0550ae',
      '#8250df',
      '#1b7c83',
      '#57606a',
      '#6e7781',
      '#a40e26',
      '#1a7f37',
      '#633c01',
      '#0969da',
      '#6639ba',
      '#3192aa',
      '#24292f',
    ],
  },
};

interface CastHeader {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly ground: Ground;
}

/** The first line of an asciicast, version 3. */
export const castHeader = ({ columns, rows, title, timestamp, ground }: CastHeader): string =>
  JSON.stringify({
    version: 3,
    term: {
      cols: columns,
      rows,
      type: 'xterm-256color',
      theme: { fg: ground.foreground, bg: ground.background, palette: ground.palette.join(':') },
    },
    timestamp,
    title,
  });

/** One piece of output, so many seconds after the one before. */
export const castLine = (seconds: number, data: string): string =>
  JSON.stringify([Number(seconds.toFixed(3)), 'o', data]);
