import { safe } from '../../src/base/safe.ts';
import { truncate } from '../../src/words/width.ts';
import { closing } from '../dialog/closing.ts';
import type { MenuDialog } from '../dialog/dialog.ts';
import { blank, span, spread } from '../draw/span.ts';
import type { ServeOverlay } from './serve-view.ts';

/** Where a browser reaches the running `serve`, the code that pairs one, and those that are paired. */
export const serveDialog: MenuDialog<ServeOverlay> = {
  moves: 'cursor',
  widest: () => 100,
  title: (_view, { devices }) =>
    devices.length === 0 ? 'Serve: no device is paired' : `Serve: ${devices.length} paired`,
  above: (_view, { addresses, code }, { width, theme }) => {
    const cut = (text: string): string => truncate(text, width, theme.glyphs.ellipsis);
    const codeWords = code === null ? ' No code is valid now' : ` Code  ${safe(code)}`;
    return [
      blank,
      ...addresses.map((address) => [span(cut(` ${safe(address)}`))]),
      [span(cut(codeWords), code === null ? 'secondary' : 'text')],
      blank,
    ];
  },
  items: (_view, { devices }, { width, theme }) =>
    devices.map(({ name, scope, isConnected }) => (here) => [
      spread(
        [{ text: truncate(safe(name), width, theme.glyphs.ellipsis), bold: here }, span(`  ${safe(scope)}`)],
        [span(isConnected ? 'views a page' : '', 'secondary')],
        width - 1,
        theme,
      ),
    ]),
  below: (_view, { devices }) => (devices.length === 0 ? [] : [blank]),
  commands: [closing('serve', ['escape', 'q', 'enter', 'ctrl-c'])],
};
