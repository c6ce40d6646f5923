import { withKeys } from '../../src/keymap/table.ts';
import { selectEnd } from '../../src/store/session/select-end.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { widthOf, wrap } from '../../src/store/text/width.ts';
import { windowTop } from '../../src/store/text/window-top.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** The result of the session: failures first, then lessons, then the next steps. */
export const End = ({ view, overlay, hints, columns, rows }: OverlayProps<'end'>) => {
  const theme = useTheme();
  const end = selectEnd(view);
  if (end === null) return null;
  const width = Math.min(96, columns - 4);
  const inner = width - 4;
  let chosen = 0;
  const failures = end.failures.flatMap((failure, index): readonly Line[] => {
    const here = index === overlay.cursor;
    const lines: readonly Line[] = [
      [
        cursorMark(here, theme),
        { text: failure.task, bold: here, tone: 'failed' },
        span(`  failed at attempt ${failure.attempt}`, 'secondary'),
      ],
      ...wrap(failure.verdict, inner - 4)
        .slice(0, 3)
        .map((text): Line => [span(`    ${text}`)]),
      ...(here ? failure.tail.map((text): Line => [span(`    ${text}`, 'secondary')]) : []),
    ];
    if (index < overlay.cursor) chosen += lines.length;
    return lines.map((line) => rowFor({ kind: 'item', item: index }, line));
  });
  const rest: readonly Line[] = [
    ...end.changes.flatMap((text) => wrap(text, inner)).map((text): Line => [span(text)]),
    ...(end.changes.length === 0 ? [] : [blank]),
    ...(end.lessons === null ? [] : [[span(withKeys(view, end.lessons), 'needs-you')] as const, blank]),
    ...end.next
      .flatMap((text) => wrap(withKeys(view, text), inner))
      .map((text): Line => [span(text, 'secondary')]),
  ];
  // A reason that is longer than a line is shown whole.
  const title: readonly Line[] =
    widthOf(end.title) <= inner
      ? [[bold(end.title, end.tone), span(` · ${end.counts}`)]]
      : [...wrap(end.title, inner).map((text): Line => [bold(text, end.tone)]), [span(end.counts)]];
  // The lines after the failures keep their place; the list of failures gives way.
  const room = Math.max(2, overlayRows(rows) - rest.length - title.length - 3);
  const top = windowTop(failures.length, chosen + 1, room);
  const lines: readonly Line[] = [
    ...title,
    blank,
    ...failures.slice(top, top + room),
    ...(failures.length > 0 ? [blank] : []),
    ...rest,
    blank,
  ];
  return (
    <Modal title={end.heading} lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};
