import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import { truncateMiddle, wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import { markdownLine, markdownLook } from '../draw/markdown-line.ts';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, bold, cursorMark, fillLine, fitLine, type Line, span, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import type { ReviewSide } from '../overlay.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import {
  markWidth,
  pathOf,
  type ReviewQuestion,
  reviewBox,
  reviewComments,
  reviewPlace,
  reviewRows,
  reviewTitle,
  selectBehind,
  selectPlanReview,
} from './plan-review.ts';

/** The plan of an issue before its work begins, with the validator's critique beside it, and comments on their lines. */
export const PlanReview = ({ view, overlay, hints, columns, rows }: OverlayProps<'plan-review'>) => {
  const theme = useTheme();
  const review = selectPlanReview(view);
  if (review === null) return null;
  const { question } = review;
  const box = reviewBox(view, question);
  const inner = box.width - 4;
  const side = (of: ReviewSide): readonly Line[] =>
    sideLines({
      view,
      question,
      of,
      focused: overlay.side === of,
      width: box[of],
      height: box.height,
      theme,
    });
  const critique = box.beside ? side('critique') : [];
  const body = side(box.beside ? 'plan' : overlay.side).map(
    (line, row): Line =>
      box.beside
        ? [
            ...fillLine(line, box.plan, theme),
            { ...span(` ${theme.glyphs.bar} `, 'furniture'), target: null },
            ...fitLine(critique[row] ?? blank, box.critique, theme),
          ]
        : line,
  );
  const lines: readonly Line[] = [
    ...body,
    [span(theme.glyphs.rule.repeat(inner), 'furniture')],
    ...behindLines(view, question, inner, theme),
    footLine(view, question),
  ];
  return (
    <Modal
      tone="needs-you"
      title={reviewTitle(view, question)}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={box.width}
    />
  );
};

interface Side {
  readonly view: ViewState;
  readonly question: ReviewQuestion;
  readonly of: ReviewSide;
  readonly focused: boolean;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** The heading with the path, then the text around the cursor, or from its start where another text has the keys. */
const sideLines = (side: Side): readonly Line[] => {
  const { view, question, of, focused, width, height, theme } = side;
  const path = safe(pathOf(question, of) ?? '');
  const title = of === 'plan' ? 'Plan' : "Validator's critique";
  const other = otherLine(view, question, of);
  const room = Math.max(8, width - title.length - 4 - widthOfLine(other));
  const head: Line = [
    bold(` ${title}`, focused ? 'accent' : 'secondary'),
    span(`  ${truncateMiddle(path, room, theme.glyphs.ellipsis)}`, 'secondary'),
    ...other,
  ];
  const rows = reviewRows(view, question, of, markdownLook(theme));
  if (rows === null) return padded([head, [span('  Reading…', 'secondary')]], height);
  if (typeof rows === 'string') return padded([head, [span(`  ${rows}`, 'failed')]], height);
  const { lines, at } = textLines(side, rows);
  const most = height - 1;
  if (lines.length <= most) return padded([head, ...lines], height);
  const top = focused ? windowTop(lines.length, at, most - 1) : 0;
  const below = lines.length - top - (most - 1);
  return [head, ...lines.slice(top, top + most - 1), moreLine(view, below, focused)];
};

/** The key to the text that this one hides: nobody is to decide without knowing that there is one. */
const otherLine = (view: ViewState, question: ReviewQuestion, of: ReviewSide): Line => {
  const other = of === 'plan' ? 'critique' : 'plan';
  return reviewBox(view, question).beside || pathOf(question, other) === null
    ? []
    : [span(withKeys(view, `  {plan-review.side} ${other}`), 'accent')];
};

/** What the window does not show: nobody is to decide on a part that looks whole. */
const moreLine = (view: ViewState, below: number, focused: boolean): Line => {
  const down = focused ? ' · {plan-review.page-down}' : '';
  const more = below > 0 ? `${count(below, 'more line')}${down}` : `the end · {plan-review.page-up}`;
  return [span(withKeys(view, `  ${more}`), focused ? 'accent' : 'secondary')];
};

const padded = (lines: readonly Line[], height: number): readonly Line[] =>
  Array.from({ length: height }, (_, row) => lines[row] ?? blank);

/** Each row with its mark, each comment below its line, and the index of the line under the cursor. */
const textLines = (
  { view, question, of, focused, width, theme }: Side,
  rows: Exclude<ReturnType<typeof reviewRows>, string | null>,
): { readonly lines: readonly Line[]; readonly at: number } => {
  const place = focused ? reviewPlace(view) : null;
  const source = place === null ? -1 : place.line - 1;
  const comments = reviewComments(view, question, of);
  const lines: Line[] = [];
  let at = 0;
  rows.forEach((row, index) => {
    const here = row.source === source;
    if (here && at === 0) at = lines.length;
    const comment = comments.get(row.source);
    const mark = here
      ? cursorMark(true, theme)
      : span(comment === undefined ? ' ' : theme.glyphs.chosen, 'needs-you');
    lines.push([mark, span(' '), ...markdownLine(row.spans)]);
    if (comment === undefined || rows[index + 1]?.source === row.source) return;
    for (const text of wrap(safe(comment.text), Math.max(8, width - markWidth - 2)))
      lines.push([span('  '), span(`${theme.glyphs.bar} ${text}`, 'needs-you')]);
  });
  return { lines, at };
};

/** What an approval starts, as one chain: as many whole names as fit, and how many more. */
const behindLines = (
  view: ViewState,
  question: ReviewQuestion,
  width: number,
  theme: Theme,
): readonly Line[] => {
  const behind = selectBehind(view, question);
  if (behind.length === 0) return [];
  const tasks = behind.map(({ id, title, look }, index): Line => {
    const { glyph, tone } = theme.looks[look];
    const arrow = index === 0 ? 'Then ' : ` ${theme.options.ascii ? '>' : '→'} `;
    return [span(arrow, 'secondary'), span(`${glyph} `, tone), span(title === '' ? id : title)];
  });
  const rest = (left: number): Line => (left === 0 ? [] : [span(` and ${left} more`, 'secondary')]);
  const lines = tasks.map((_, index) => [
    ...tasks.slice(0, index + 1).flat(),
    ...rest(tasks.length - index - 1),
  ]);
  return [lines.findLast((line) => widthOfLine(line) <= width) ?? lines[0] ?? []];
};

const footLine = (view: ViewState, { request }: ReviewQuestion): Line => {
  const written = (view.ui.drafts[request] ?? '').split('\n').filter((line) => line !== '').length;
  return written === 0
    ? [
        span(
          withKeys(
            view,
            '{plan-review.comment} comments on a line; comments are sent with any verdict but approve',
          ),
          'secondary',
        ),
      ]
    : [span(`${count(written, 'comment')} will be sent with any verdict but approve`, 'needs-you')];
};
