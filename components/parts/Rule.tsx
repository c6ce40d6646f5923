import { Box } from 'ink';
import { borderOf } from './border.ts';
import { Lines } from './Lines.tsx';
import { type Line, span, widthOfLine } from './span.ts';
import { useTheme } from './theme-context.ts';

interface RuleProps {
  readonly left: Line;
  readonly right: Line;
  readonly width: number;
  readonly focused: boolean;
}

/**
 * A rule with a title and, where there is room, a note at its end; heavy over the pane that has the keys. The rule is a border and no text:
 * Ink measures text that is not ASCII anew for every frame, and borders never.
 */
export const Rule = ({ left, right, width, focused }: RuleProps) => {
  const theme = useTheme();
  const head: Line = [span(' '), ...left, span(' ')];
  const note: Line = right.length === 0 ? [] : [span(' '), ...right, span(' ')];
  const noteWidth = widthOfLine(note);
  const headWidth = Math.min(widthOfLine(head), width - 1);
  const fits = noteWidth > 0 && headWidth + noteWidth + 3 <= width;
  return (
    <Box height={1} width={width} flexShrink={0}>
      <Box
        position="absolute"
        width={width}
        height={1}
        {...borderOf(focused ? theme.glyphs.focusRule : theme.glyphs.rule, focused, theme)}
        borderBottom={false}
        borderLeft={false}
        borderRight={false}
      />
      <Box position="absolute" left={1}>
        <Lines lines={[head]} width={headWidth} height={1} />
      </Box>
      {fits && (
        <Box position="absolute" left={width - noteWidth - 1}>
          <Lines lines={[note]} width={noteWidth} height={1} />
        </Box>
      )}
    </Box>
  );
};
