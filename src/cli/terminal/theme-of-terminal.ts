import { dirname } from 'node:path';
import type { PaletteName, Skin } from '../../../components/draw/palettes.ts';
import type { ThemeOptions } from '../../../components/draw/theme.ts';
import type { Preferences } from '../../../components/ports/preferences.ts';
import type { Disk } from '../../base/disk.ts';
import { userConfigFile } from '../../session/config.io.ts';
import type { Cli } from '../cli.ts';
import { isThemeName, readSkin, skinFile } from './read-skin.ts';

/**
 * Preferences come first, and NO_COLOR before all. Otherwise the background that the terminal answered with counts, and its own variables (COLORTERM,
 * TERM, COLORFGBG). A ground that nothing tells gets colours that are read on dark and on light.
 * A skin that cannot be read leaves the standard colours; `config check` says why.
 */
export const themeOfTerminal = (
  cli: Pick<Cli, 'env' | 'ascii'>,
  { theme, ascii }: Pick<Preferences, 'theme' | 'ascii'>,
  disk: Disk,
  ground: ThemeOptions['background'] | null = null,
): ThemeOptions => {
  const { env } = cli;
  const palette = paletteOf(env, theme, disk);
  return {
    colours: theme === 'none' ? 'none' : coloursOf(env),
    ascii: cli.ascii || ascii || env['TERM'] === 'linux',
    ...backgroundOf(env, theme, ground),
    ...(palette === null ? {} : { palette }),
  };
};

/** The file of a person's own colours; `null` for a theme of ours. */
export const skinFileOf = (env: Cli['env'], theme: string): string | null =>
  isThemeName(theme) ? null : skinFile(theme, dirname(userConfigFile(env)));

const paletteOf = (env: Cli['env'], theme: string, disk: Disk): PaletteName | Skin | null => {
  if (theme === 'high-contrast' || theme === 'solarized') return theme;
  const file = skinFileOf(env, theme);
  if (file === null) return null;
  const skin = readSkin(disk, file);
  return skin.ok ? skin.value : null;
};

const backgroundOf = (
  env: Cli['env'],
  theme: string,
  ground: ThemeOptions['background'] | null,
): Pick<ThemeOptions, 'background' | 'isGuess'> => {
  if (theme === 'light' || theme === 'dark') return { background: theme };
  if (ground !== null) return { background: ground };
  const [, told] = /;(\d+)$/.exec(env['COLORFGBG'] ?? '') ?? [];
  if (told !== undefined) return { background: told === '7' || told === '15' ? 'light' : 'dark' };
  return { background: 'dark', ...(env['TERM'] === 'linux' ? {} : { isGuess: true }) };
};

const coloursOf = (env: Cli['env']): ThemeOptions['colours'] => {
  if (env['NO_COLOR']) return 'none';
  if (/truecolor|24bit/.test(env['COLORTERM'] ?? '')) return 'true';
  return (env['TERM'] ?? '').includes('256') ? '256' : '16';
};
