import { createContext, useContext } from 'react';
import { plainTheme, type Theme } from './theme.ts';

/** The theme, provided once by `App`. */
export const ThemeContext = createContext<Theme>(plainTheme);

export const useTheme = (): Theme => useContext(ThemeContext);
