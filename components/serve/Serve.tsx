import { safe } from '../../src/base/safe.ts';
import { truncate } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, cursorMark, type Line, rowFor, span, spread } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';

/** Where a browser reaches the running `serve`, the code that pairs one, and those that are paired. */
export const Serve = ({ overlay, hints, columns, rows }: OverlayProps<'serve'>) => {
  const theme = useTheme();
  const width = Math.min(100, columns - 4);
  const inner = width - 4;
  const { addresses, code, devices, cursor } = overlay;
  const cut = (text: string): string => truncate(text, inner, theme.glyphs.ellipsis);
  const facts: readonly Line[] = [
    ...addresses.map((address) => [span(cut(` ${safe(address)}`))]),
    [
      span(
        cut(code === null ? ' No code counts now' : ` Code  ${safe(code)}`),
        code === null ? 'secondary' : 'text',
      ),
    ],
  ];
  const height = Math.max(1, overlayRows(rows) - facts.length - 4);
  const top = windowTop(devices.length, cursor, height);
  const lines = devices.slice(top, top + height).map(({ name, scope, isConnected }, index): Line => {
    const here = top + index === cursor;
    return rowFor(
      { kind: 'item', item: top + index },
      spread(
        [cursorMark(here, theme), { text: cut(safe(name)), bold: here }, span(`  ${safe(scope)}`)],
        [span(isConnected ? 'looks at a page' : '', 'secondary')],
        inner,
        theme,
      ),
    );
  });
  return (
    <Modal
      title={devices.length === 0 ? 'Serve: no device is paired' : `Serve: ${devices.length} paired`}
      lines={[blank, ...facts, blank, ...lines, ...(lines.length === 0 ? [] : [blank])]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
