import { Box, Text } from 'ink';

import type { Theme } from '../theme.ts';
import { fitLine, type Line, type Span } from './span.ts';
import { useTheme } from './theme-context.ts';

interface LinesProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/** A rectangle of text: each line in exactly `width` cells, exactly `height` of them. */
export const Lines = ({ lines, width, height }: LinesProps) => {
  const theme = useTheme();
  const shown = Array.from({ length: Math.max(0, height) }, (_, index) => lines[index] ?? []);
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <LineText key={index} line={fitLine(line, width, theme)} theme={theme} />
      ))}
    </Box>
  );
};

const LineText = ({ line, theme }: { readonly line: Line; readonly theme: Theme }) => (
  <Text wrap="truncate">
    {line.map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the line
      <Text key={index} {...styleOf(piece, theme)}>
        {piece.text}
      </Text>
    ))}
  </Text>
);

const styleOf = (piece: Span, theme: Theme) => {
  const color = theme.colours[piece.tone ?? 'plain'];
  return {
    ...(color === undefined ? {} : { color }),
    ...(piece.tone === 'quiet' ? { dimColor: true } : {}),
    ...(piece.bold ? { bold: true } : {}),
    ...(piece.inverse ? { inverse: true } : {}),
  };
};
