import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Hint } from '../table.ts';
import { hintLine } from './Footer.tsx';
import { Lines } from './Lines.tsx';
import { overlayRows } from './page.ts';
import type { Tone } from './palettes.ts';
import { bold, fillLine, type Line, span, widthOfLine } from './span.ts';
import { useTheme } from './theme-context.tsx';

interface ModalProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
  /** Wanted width; the screen's own is the limit. */
  readonly width: number;
  /** The frame: orange where something needs a person, red where something is destroyed, blue else. */
  readonly tone?: Extract<Tone, 'accent' | 'needs-you' | 'failed'>;
  /** Drawn over the lines; its places count from the corner of the frame's blank column. */
  readonly children?: ReactNode;
}

/**
 * A framed box over the panes, with its own keys in the last line. Never taller than the screen. Its rows are blank on both sides, so that
 * no word of the panes is cut at its edges.
 */
export const Modal = ({
  title,
  lines,
  hints,
  columns,
  rows,
  width,
  tone = 'accent',
  children,
}: ModalProps) => {
  const theme = useTheme();
  const { glyphs } = theme;
  const outer = Math.min(width, columns - 4);
  const inner = outer - 4;
  const shown = lines.slice(0, overlayRows(rows));
  const [topLeft, topRight, bottomLeft, bottomRight] = glyphs.corners;
  const rule = (length: number): Line => [span(glyphs.rule.repeat(Math.max(0, length)), tone)];
  const heading: Line = [span(`${topLeft}${glyphs.rule} `, tone), bold(title, tone), span(' ')];
  const row = (line: Line): Line => [
    span(`${glyphs.bar} `, tone),
    ...fillLine(line, inner, theme),
    span(` ${glyphs.bar}`, tone),
  ];
  const left = Math.max(0, Math.floor((columns - outer) / 2));
  const before = span(' '.repeat(left));
  const after = span(' '.repeat(Math.max(0, columns - outer - left)));
  const framed = [
    [
      ...fillLine(heading, Math.min(widthOfLine(heading), outer - 1), theme),
      ...rule(outer - 1 - widthOfLine(heading)),
      span(topRight, tone),
    ],
    ...shown.map(row),
    row(hintLine(hints, inner)),
    [span(bottomLeft, tone), ...rule(outer - 2), span(bottomRight, tone)],
  ].map((line: Line): Line => [before, ...line, after]);
  const spare = Math.max(0, rows - headerRows - 1 - framed.length);
  const above = Math.floor(spare / 2);
  // What is left of the panes above and below a high box says nothing whole.
  const covers = spare <= framed.length;
  const blanks = (height: number): readonly Line[] =>
    covers ? Array.from({ length: height }, () => [span(' '.repeat(columns))]) : [];
  const covered = [...blanks(above), ...framed, ...blanks(spare - above)];
  return (
    <Box position="absolute" left={0} top={headerRows + (covers ? 0 : above)}>
      <Lines lines={covered} width={columns} height={covered.length} level="over" />
      {children && (
        <Box position="absolute" left={left - 1} top={covers ? above : 0}>
          {children}
        </Box>
      )}
    </Box>
  );
};

/** Header, strip and now line stay in sight. */
const headerRows = 3;
