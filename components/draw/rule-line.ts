import { fillLine, fitLine, type Line, span, widthOfLine } from './span.ts';
import type { Theme } from './theme.ts';

export interface TitledRule {
  readonly left: Line;
  readonly right: Line;
  readonly width: number;
  readonly focused: boolean;
  /** Of a pane without rows: nothing to rule off. */
  readonly bare?: boolean;
}

/** A rule with a title and, where there is room, a note at its end, cut if need be. Heavy over the pane with the focus. */
export const ruleLine = ({ left, right, width, focused, bare = false }: TitledRule, theme: Theme): Line => {
  const { focusRule, rule } = theme.glyphs;
  const ruled = (length: number): Line => [
    span((focused ? focusRule : rule).repeat(Math.max(0, length)), focused ? 'accent' : 'furniture'),
  ];
  const head: Line = [span(' '), ...left, span(' ')];
  const headWidth = Math.min(widthOfLine(head), width - 1);
  if (bare && !focused) return [...ruled(1), ...head, ...right];
  // Two ends of the rule, one cell of it between title and note, and the blanks around the note.
  const room = width - headWidth - 5;
  const noteWidth = widthOfLine(right);
  const end: Line =
    noteWidth > 0 && room >= Math.min(noteWidth, leastNote)
      ? [span(' '), ...fitLine(right, room, theme), span(' '), ...ruled(1)]
      : [];
  return [
    ...ruled(1),
    ...fillLine(head, headWidth, theme),
    ...ruled(width - 1 - headWidth - widthOfLine(end)),
    ...end,
  ];
};

/** Cells below which a cut note says nothing. */
const leastNote = 6;
