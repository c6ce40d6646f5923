import type { ThemeOptions } from '../../../components/theme.ts';
import type { Preferences } from '../../store/preferences.ts';
import type { Cli } from '../cli.ts';

/** Preferences come first, and NO_COLOR before all. Otherwise the terminal's own variables count (COLORTERM, TERM, COLORFGBG). */
export const themeOfTerminal = (
  { env, ascii }: Pick<Cli, 'env' | 'ascii'>,
  preferences: Pick<Preferences, 'theme' | 'ascii'>,
): ThemeOptions => ({
  colours: preferences.theme === 'none' ? 'none' : coloursOf(env),
  ascii: ascii || preferences.ascii || env['TERM'] === 'linux',
  background: backgroundOf(env, preferences.theme),
});

const backgroundOf = (env: Cli['env'], theme: Preferences['theme']): ThemeOptions['background'] => {
  if (theme === 'light' || theme === 'dark') return theme;
  return /;(7|15)$/.test(env['COLORFGBG'] ?? '') ? 'light' : 'dark';
};

const coloursOf = (env: Cli['env']): ThemeOptions['colours'] => {
  if (env['NO_COLOR']) return 'none';
  if (/truecolor|24bit/.test(env['COLORTERM'] ?? '')) return 'true';
  return (env['TERM'] ?? '').includes('256') ? '256' : '16';
};
