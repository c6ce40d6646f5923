import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Hint } from '../../src/keymap/table.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { hintLine } from '../layout/Footer.tsx';
import { Lines } from './Lines.tsx';
import { bold, fillLine, type Line, span, widthOfLine } from './span.ts';
import { useTheme } from './theme-context.ts';

interface ModalProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
  /** Wanted width; the screen's own is the limit. */
  readonly width: number;
  /** Drawn over the lines; its places count from the corner of the frame's blank column. */
  readonly children?: ReactNode;
}

/** A framed box over the panes, every cell of it written, with its own keys in the last line. Never taller than the screen. */
export const Modal = ({ title, lines, hints, columns, rows, width, children }: ModalProps) => {
  const theme = useTheme();
  const { glyphs } = theme;
  const outer = Math.min(width, columns - 4);
  const inner = outer - 4;
  const shown = lines.slice(0, overlayRows(rows));
  const [topLeft, topRight, bottomLeft, bottomRight] = glyphs.corners;
  const rule = (length: number): Line => [span(glyphs.rule.repeat(Math.max(0, length)), 'accent')];
  const heading: Line = [span(`${topLeft}${glyphs.rule} `, 'accent'), bold(title, 'accent'), span(' ')];
  const row = (line: Line): Line => [
    span(`${glyphs.bar} `, 'accent'),
    ...fillLine(line, inner, theme),
    span(` ${glyphs.bar}`, 'accent'),
  ];
  // A blank column on both sides keeps the panes behind it apart.
  const framed = [
    [
      ...fillLine(heading, Math.min(widthOfLine(heading), outer - 1), theme),
      ...rule(outer - 1 - widthOfLine(heading)),
      span(topRight, 'accent'),
    ],
    ...shown.map(row),
    row(hintLine(hints, inner)),
    [span(bottomLeft, 'accent'), ...rule(outer - 2), span(bottomRight, 'accent')],
  ].map((line: Line): Line => [span(' '), ...line, span(' ')]);
  return (
    <Box
      position="absolute"
      left={Math.max(0, Math.floor((columns - outer) / 2) - 1)}
      top={headerRows + Math.max(0, Math.floor((rows - headerRows - 1 - framed.length) / 2))}
    >
      <Lines lines={framed} width={outer + 2} height={framed.length} level="over" />
      {children}
    </Box>
  );
};

/** Header, strip and now line stay in sight. */
const headerRows = 3;
