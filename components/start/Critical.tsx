import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';

/** Critical findings before agents start. */
export const Critical = ({ overlay, hints, columns, rows }: OverlayProps<'critical'>) => {
  const theme = useTheme();
  const width = Math.min(96, columns - 4);
  const { findings, cursor } = overlay;
  const height = Math.max(1, overlayRows(rows) - 7);
  const top = windowTop(findings.length, cursor, height);
  const list = findings
    .slice(top, top + height)
    .map(
      ({ line }, index): Line =>
        rowFor({ kind: 'item', item: top + index }, [
          cursorMark(top + index === cursor, theme),
          { text: line, bold: top + index === cursor, tone: 'failed' },
        ]),
    );
  const here = findings[cursor];
  const told = here === undefined ? [] : wrap(`${here.line}. ${here.advice}`, width - 5).slice(0, 4);
  return (
    <Modal
      tone="failed"
      title={`${findings.length} critical finding${findings.length === 1 ? '' : 's'}: start anyway?`}
      lines={[...list, blank, ...told.map((text): Line => [span(` ${text}`, 'secondary')]), blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
