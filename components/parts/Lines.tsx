import { Box, Text } from 'ink';
import { memo } from 'react';
import { type Level, useRegion } from '../../hooks/hit-map.ts';
import { paint } from './paint.ts';
import { fitLine, type Line, targetAt } from './span.ts';
import { useTheme } from './theme-context.ts';

interface LinesProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  /** `over`: these lines lie over the panes. */
  readonly level?: Level;
}

/**
 * A rectangle of text: at most `height` lines, none wider than `width` cells. Each is one string with its styles, which is all that frames are made of
 * (`src/cli/draw-frame.ts`). Blanks at the end of a line are not written; an overlay, which has to cover what is behind it, brings its own.
 */
export const Lines = ({ lines, width, height, level = 'lines' }: LinesProps) => {
  const theme = useTheme();
  const box = useRegion((column, row) => {
    const line = lines[row];
    return line === undefined ? null : targetAt(fitLine(line, width, theme), column);
  }, level);
  return (
    <Box ref={box} flexDirection="column" width={width} height={height} flexShrink={0}>
      {lines.slice(0, Math.max(0, height)).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <Painted key={index} text={paint(fitLine(line, width, theme), theme)} />
      ))}
    </Box>
  );
};

/** A line that did not change is not looked at again. */
const Painted = memo(({ text }: { readonly text: string }) => (
  <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
));
