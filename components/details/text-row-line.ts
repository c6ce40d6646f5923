import { blank, bold, cursorMark, type Line, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { TextRow } from './text-rows.ts';

/** A row of a text, drawn by its kind: headings bold, items with a dot, code indented, the chosen item as a row of a list. `choose`: what follows the heading of attempts. */
export const rowLine = (
  { kind, text, first }: TextRow,
  theme: Theme,
  { focused = true, choose = '' }: { readonly focused?: boolean; readonly choose?: string } = {},
): Line => {
  switch (kind) {
    case 'blank':
      return blank;
    case 'title':
      return [bold(` ${text}`)];
    case 'heading':
      return [span(` ${text}`, 'accent')];
    case 'choice':
      return [span(` ${text}`, 'accent'), span(choose, 'accent')];
    case 'sub':
      return [bold(` ${text}`)];
    case 'text':
      return [span(` ${text}`)];
    case 'item':
      return [span(first ? ' · ' : '   ', 'secondary'), span(text)];
    case 'chosen':
      return [cursorMark(true, theme, focused), span(first ? '· ' : '  ', 'secondary'), bold(text)];
    case 'code':
      return [span(`   ${text}`, 'secondary')];
    case 'good':
      return [span(` ${text}`, 'done')];
    case 'bad':
      return [span(` ${text}`, 'failed')];
    case 'asks':
      return [span(` ${text}`, 'needs-you')];
  }
};
