import { resolve } from 'node:path';
import { paint } from '../../../components/draw/paint.ts';
import { type PaletteName, paletteNames, type Skin, shownOn } from '../../../components/draw/palettes.ts';
import {
  bold,
  cursorMark,
  fitLine,
  type Line,
  span,
  spread,
  widthOfLine,
} from '../../../components/draw/span.ts';
import { createTheme, type Theme, type ThemeOptions } from '../../../components/draw/theme.ts';
import { type Cli, exitCodes, valueOrExit } from '../cli.ts';
import type { World } from '../world.ts';
import { readSkin } from './read-skin.ts';
import { themeOfTerminal } from './theme-of-terminal.ts';

const columns = 76;

/** Prints a piece of the screen in each theme on both grounds, or in the colours of a file. Throws the faults of that file. */
export const showThemes = (cli: Cli, world: World, file: string | undefined): number => {
  const { colours, ascii, background } = themeOfTerminal(cli, { theme: 'auto', ascii: false }, world.disk);
  const show = (name: string, ground: ThemeOptions['background'], palette: PaletteName | Skin): void => {
    const theme = createTheme({ colours, ascii, background: ground, palette });
    const under = typeof palette === 'string' ? groundCode(shownOn[palette][ground], colours, ground) : '';
    cli.print(`\n${name}, for a ${ground} background`);
    for (const line of sample(theme)) {
      const fitted = fitLine(line, columns, theme);
      const rest = span(' '.repeat(Math.max(0, columns - widthOfLine(fitted))));
      cli.print(onGround(paint([...fitted, rest], theme), under));
    }
  };
  if (file !== undefined) show(file, background, valueOrExit(readSkin(world.disk, resolve(cli.cwd, file))));
  else
    for (const palette of paletteNames)
      for (const ground of ['dark', 'light'] as const)
        show(palette === 'standard' ? ground : palette, ground, palette);
  return exitCodes.done;
};

/** The colours of a ground and of plain text on it; '' where the terminal cannot show it. */
const groundCode = (hex: string, colours: ThemeOptions['colours'], ground: 'dark' | 'light'): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (colours === 'true') return `48;2;${red};${green};${blue}`;
  if (colours === '256') return ground === 'dark' ? '48;5;16' : '48;5;231';
  return colours === 'none' ? '' : ground === 'dark' ? '40;97' : '107;30';
};

/** The row on the ground, which every reset would end. */
const onGround = (row: string, code: string): string =>
  code === '' ? row : `\u001b[${code}m${row.replaceAll('\u001b[0m', `\u001b[0;${code}m`)}\u001b[0m`;

/** What the demo shows, one row a tone. */
const sample = (theme: Theme): readonly Line[] => {
  const { glyphs, looks } = theme;
  const task = (look: keyof typeof looks, id: string, title: string, word: string, here = false): Line => [
    cursorMark(here, theme),
    span(`${glyphs.branch} `, 'furniture'),
    { text: `${looks[look].glyph} `, tone: looks[look].tone, bold: true },
    ...spread(
      [span(id.padEnd(12)), span(title, 'secondary')],
      [span(`${word} `, looks[look].tone)],
      columns - 5,
      theme,
    ),
  ];
  return [
    spread(
      [bold(' Ship the greeter in four languages')],
      [
        span(glyphs.full.repeat(4), 'done'),
        span(glyphs.open.repeat(6), 'furniture'),
        bold(' 4/10  '),
        span('0:41 '),
      ],
      columns,
      theme,
    ),
    [
      bold(' Tasks ', 'accent'),
      span(glyphs.rule.repeat(columns - 20), 'furniture'),
      span(' 3 tasks in a row remain ', 'chain'),
    ],
    task('done', 'schema', 'Generate the schema', 'done 0:02'),
    task('running', 'english', 'English greetings', 'running 0:12', true),
    task('asks', 'vietnamese', 'Vietnamese greetings', 'asks you 0:39'),
    task('paused', 'docs', 'Reference pages', 'paused'),
    task('failed', 'load-test', 'Load test', 'failed: exit 1'),
    [
      span('   - const hi = "'),
      { ...span('hi', 'failed'), ground: 'removed' },
      span('";   + const hi = "'),
      { ...span('hello', 'done'), ground: 'added' },
      span('";'),
    ],
    [
      bold(' p', 'accent'),
      span(' pause ', 'secondary'),
      bold(' s', 'accent'),
      span(' steer ', 'secondary'),
      bold(' ?', 'accent'),
      span(' help', 'secondary'),
    ],
  ];
};
