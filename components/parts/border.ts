import type { Theme } from '../theme.ts';

/** Ink's border properties for a frame drawn with one sign; the colour is the terminal's own accent, or dim. */
export const borderOf = (sign: string, focused: boolean, theme: Theme) => ({
  borderStyle: {
    topLeft: sign,
    top: sign,
    topRight: sign,
    left: sign,
    right: sign,
    bottomLeft: sign,
    bottom: sign,
    bottomRight: sign,
  },
  ...(focused
    ? theme.options.colours === 'none'
      ? {}
      : { borderColor: theme.options.background === 'light' ? 'blue' : 'cyan' }
    : { borderDimColor: true }),
});
