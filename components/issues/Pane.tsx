import { safe } from '../../src/base/safe.ts';
import { formatClock } from '../../src/words/local-time.ts';
import { usualWidth } from '../../src/words/usual-width.ts';
import { widthOf } from '../../src/words/width.ts';
import { rowLine } from '../details/text-row-line.ts';
import { Lines } from '../draw/Lines.tsx';
import { bold, cursorMark, type Line, reason, rowFor, span, spread, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { listTop } from '../draw/window-top.ts';
import type { PaneProps } from '../pane/pane-props.ts';
import { readingOf } from '../reading.ts';
import { withKeys } from '../table.ts';
import { issueDetailRows } from './issue-details.ts';
import type { IssueLine, IssueRow } from './issue-rows.ts';
import { issuesLayoutOf } from './issues-layout.ts';
import { detailsTop, selectIssue, selectShownIssues } from './select-issues.ts';

/** The issues of the tracker, and the details of the one under the cursor. */
export const IssuesPane = (props: PaneProps) => {
  const { view, width, height } = props;
  const theme = useTheme();
  const layout = issuesLayoutOf(view, width, height);
  const lines: readonly Line[] = [
    ...(layout.notice ? [noticeLine(props)] : []),
    ...listLines(props, layout.list, theme),
    ...(layout.list > 0 && layout.details > 0 ? [[span(theme.glyphs.rule.repeat(width), 'furniture')]] : []),
    ...detailLines(props, layout.details, theme),
  ];
  return <Lines lines={lines} width={width} height={height} />;
};

/** A failed reading first: everything below it may be out of date. */
const noticeLine = ({ view, now }: PaneProps): Line => {
  const { board, error } = view.ui.issues;
  const since = board === null ? '' : ` · list as of ${formatClock(board.at, now)}`;
  if (error !== null) return [span(` ${error}`, 'failed'), span(since, 'secondary')];
  const [first = '', ...more] = board?.problems ?? [];
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [span(` ${safe(first)}${others}`, 'held')];
};

const listLines = ({ view, width, focused }: PaneProps, height: number, theme: Theme): readonly Line[] => {
  if (height === 0) return [];
  const { rows, ids } = selectShownIssues(view);
  if (ids.length === 0)
    return [[span(withKeys(view, ' No issue matches this filter: {look.back} shows all.'), 'secondary')]];
  const chosen = selectIssue(view)?.id ?? '';
  const at = rows.findIndex((row) => row.kind === 'issue' && row.id === chosen);
  const top = listTop(readingOf(view.ui, 'issues').top, rows.length, at, height);
  const shown = rows.slice(top, top + height);
  const names = shown.flatMap((row) => (row.kind === 'issue' ? [widthOf(row.name)] : []));
  const column = Math.min(Math.max(2, usualWidth(names)), Math.floor(width * 0.25));
  return shown.map((row) =>
    row.kind === 'section'
      ? sectionLine(row, width, theme)
      : rowFor(
          { kind: 'row', pane: 'issues', at: row.id },
          issueLine(row, { width, column, theme, here: row.id === chosen, focused }),
        ),
  );
};

const sectionLine = (
  { title, count }: Extract<IssueRow, { kind: 'section' }>,
  width: number,
  theme: Theme,
): Line => {
  const tone = title === 'Ready' ? 'accent' : 'secondary';
  return spread([bold(` ${title}`, tone)], [span(`${count} `, 'secondary')], width, theme);
};

interface Look {
  readonly width: number;
  /** Cells for the ids. */
  readonly column: number;
  readonly theme: Theme;
  readonly here: boolean;
  readonly focused: boolean;
}

/** Below this width titles need the room of long states. */
const roomy = 56;

/** What an issue is about to go through, or goes through: the glyph says which. */
const briefState: { readonly [state in IssueLine['state']]: string } = {
  Backlog: 'backlog',
  'Research Needed': 'research',
  'Research in Progress': 'research',
  'Ready for Plan': 'plan',
  'Plan in Progress': 'plan',
  'Plan in Review': 'review',
  'In Progress': 'work',
  'In Review': 'merge',
  Done: 'done',
  'Human Needed': 'you',
  Canceled: 'canceled',
};

/** Mark, bracket of the group, glyph, id and title; at the right the state, the estimate, and why nothing begins with it. */
const issueLine = (row: IssueLine, { width, column, theme, here, focused }: Look): Line => {
  const { glyph, tone } = theme.looks[row.look];
  const closed = row.look === 'done' || row.look === 'cancelled';
  const note = row.note === '' ? '' : `${row.note}  `;
  const state: Line = [
    span(width < roomy ? briefState[row.state] : row.state, tone),
    span(` ${row.estimate.padEnd(2)} `, 'secondary'),
  ];
  const left: Line = [
    cursorMark(here, theme, focused),
    span(`${bracketOf(row, theme)} `, 'furniture'),
    { text: `${glyph} `, tone, bold: !closed },
    {
      text: row.name.padEnd(row.name.length + Math.max(0, column - widthOf(row.name))),
      tone: closed ? 'secondary' : 'text',
      bold: here,
    },
    span(`  ${row.title}`, closed ? 'secondary' : 'text'),
  ];
  // The note gives way first: the details have it whole.
  const room = width - widthOfLine(state) - 1;
  const needed = Math.min(widthOfLine(left), Math.floor(width * 0.6));
  const right = needed + widthOf(note) <= room ? [...reason(note, row.lead), ...state] : state;
  return spread(left, right, width, theme);
};

const bracketOf = ({ place }: IssueLine, { glyphs }: Theme): string => {
  if (place === 'alone') return ' ';
  if (place === 'first') return glyphs.corners[0];
  return place === 'last' ? glyphs.corners[2] : glyphs.bar;
};

const detailLines = ({ view, width }: PaneProps, height: number, theme: Theme): readonly Line[] => {
  const issue = selectIssue(view);
  if (height === 0 || issue === null) return [];
  const rows = issueDetailRows(view, width);
  const top = Math.min(detailsTop(view.ui, issue.id), Math.max(0, rows.length - height));
  return rows.slice(top, top + height).map((row) => rowLine(row, theme));
};
