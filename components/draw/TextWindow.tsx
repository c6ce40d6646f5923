import { type Hint, withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { Modal } from './Modal.tsx';
import { overlayRows } from './page.ts';
import { bold, type Line, span } from './span.ts';
import { windowRows, windowWidth } from './text-window.ts';
import { useTheme } from './theme-context.tsx';

interface TextWindowProps {
  readonly view: ViewState;
  readonly title: string;
  readonly lines: readonly string[];
  /** The overlay, whose keys scroll. */
  readonly overlay: { readonly kind: string; readonly top: number };
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}

/** Text under headings that scrolls as a whole. */
export const TextWindow = ({ view, title, lines, overlay, hints, columns, rows }: TextWindowProps) => {
  const theme = useTheme();
  const all = windowRows(lines, columns);
  const isWhole = all.length <= overlayRows(rows);
  const height = isWhole ? all.length : overlayRows(rows) - 1;
  const top = Math.min(overlay.top, all.length - height);
  const below = all.length - top - height;
  const keys = ['down', 'up', 'page-down'].map((move) => `{${overlay.kind}.${move}}`).join(' ');
  const more = withKeys(view, below > 0 ? `${below} more below · ${keys}` : `the end · ${keys}`);
  const bars = (text: string): string => text.replaceAll('█', theme.glyphs.full);
  return (
    <Modal
      title={title}
      lines={[
        ...all
          .slice(top, top + height)
          .map(({ text, isHeading }): Line => [isHeading ? bold(text, 'accent') : span(bars(text))]),
        ...(isWhole ? [] : [[span(more, 'secondary')]]),
      ]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={windowWidth(columns)}
    />
  );
};
