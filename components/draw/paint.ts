import { caretCodes } from '../../src/words/caret.ts';
import type { Line, Span } from './span.ts';
import type { Theme } from './theme.ts';

/**
 * A line as one string with its styles as SGR sequences. One string instead of a tree of
 * text nodes: styles follow the theme's colour depth, and an unchanged line costs nothing.
 */
export const paint = (line: Line, theme: Theme): string => {
  let painted = '';
  let before = '';
  for (const piece of line) {
    if (piece.text === '') continue;
    const style = styleOf(piece, theme);
    if (style !== before) painted += `${before === '' ? '' : reset}${style}`;
    painted += piece.text;
    before = style;
  }
  return before === '' ? painted : painted + reset;
};

const reset = '\u001b[0m';

const styleOf = (piece: Span, theme: Theme): string => {
  if (theme.isBehind) return sequence(theme.codes.text);
  const codes = [
    theme.codes[piece.tone ?? 'text'],
    piece.ground === undefined ? '' : theme.grounds[piece.ground],
    piece.sgr ?? '',
    piece.bold ? '1' : '',
    piece.inverse ? '7' : '',
    piece.caret ? caretCodes : '',
  ];
  return sequence(codes.filter((code) => code !== '').join(';'));
};

const sequence = (codes: string): string => (codes === '' ? '' : `\u001b[${codes}m`);
