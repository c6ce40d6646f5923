import { Box } from 'ink';
import { createElement, memo } from 'react';
import { type Level, useRegion } from '../../hooks/hit-map.ts';
import { paint } from './paint.ts';
import { fitLine, type Line, targetAt } from './span.ts';
import { useTheme } from './theme-context.tsx';

interface LinesProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  /** `over`: these lines cover the panes. */
  readonly level?: Level;
}

/**
 * A rectangle of text: at most `height` lines, none wider than `width` cells. Each line is one string with its styles; frames consist of
 * nothing else (`src/cli/terminal/draw-frame.ts`). Trailing blanks are not written, so an overlay that must cover the panes adds its own.
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
        <Painted key={index} text={paint(fitLine(line, width, theme), theme)} width={width} />
      ))}
    </Box>
  );
};

/**
 * An unchanged line is not rendered again. Ink's own element has its size, so that Yoga does not measure the text of each line that changed: a
 * sixth of what a key in the drawn graph took.
 */
const Painted = memo(({ text, width }: { readonly text: string; readonly width: number }) =>
  createElement(
    'ink-text',
    { style: { width, height: 1, flexShrink: 0, textWrap: 'truncate' } },
    text || ' ',
  ),
);
