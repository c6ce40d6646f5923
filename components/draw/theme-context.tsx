import { createContext, useContext } from 'react';
import { createTheme, type Theme } from './theme.ts';

/** The theme, provided once by `App`. */
export const ThemeContext = createContext<Theme>(
  createTheme({ colours: 'none', ascii: false, background: 'dark' }),
);

export const useTheme = (): Theme => useContext(ThemeContext);
