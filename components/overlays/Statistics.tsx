import { withKeys } from '../../src/keymap/table.ts';
import { statisticsRows, statisticsWidth } from '../../src/store/overlays/statistics.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { bold, type Line, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** What all sessions of the workspace say together, each rate with what it is a part of. */
export const Statistics = ({ view, overlay, hints, columns, rows }: OverlayProps<'statistics'>) => {
  const theme = useTheme();
  const all = statisticsRows(overlay, columns);
  const isWhole = all.length <= overlayRows(rows);
  const height = isWhole ? all.length : overlayRows(rows) - 1;
  const top = Math.min(overlay.top, all.length - height);
  const below = all.length - top - height;
  const keys = '{statistics.down} {statistics.up} {statistics.page-down}';
  const more = withKeys(view, below > 0 ? `${below} more below · ${keys}` : `the end · ${keys}`);
  const bars = (text: string): string => text.replaceAll('█', theme.glyphs.full);
  return (
    <Modal
      title="Statistics of all sessions"
      lines={[
        ...all
          .slice(top, top + height)
          .map(({ text, isHeading }): Line => [isHeading ? bold(text, 'accent') : span(bars(text))]),
        ...(isWhole ? [] : [[span(more, 'secondary')]]),
      ]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={statisticsWidth(columns)}
    />
  );
};
