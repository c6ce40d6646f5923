import { memoiseLast } from '../../src/base/memoise.ts';
import type { Holder, Issue, IssueId } from '../../src/issues/issue.ts';
import { type Reading, readingOf } from '../reading.ts';
import type { ViewState } from '../view.ts';
import { type IssueLine, type IssueRow, type IssueTable, issueTable } from './issue-rows.ts';

/** The issues as the last good reading gave them. `null` before one. */
export const selectIssues = (view: ViewState): IssueTable | null =>
  view.ui.issues.board === null ? null : issueTable(view.ui.issues.board, selectHolder(view));

/** This session as the holder of locks. `null`: it takes none. */
export const selectHolder = ({ session }: Pick<ViewState, 'session'>): Holder | null =>
  session?.flow?.holder ?? null;

/** The rows that pass the filter, and their issues in order. */
interface ShownIssues {
  readonly rows: readonly IssueRow[];
  readonly ids: readonly IssueId[];
}

export const selectShownIssues = (view: ViewState): ShownIssues => {
  const table = selectIssues(view);
  return table === null ? { rows: [], ids: [] } : shownIssues(table, readingOf(view.ui, 'issues').filter);
};

const shownIssues = memoiseLast(
  (one: string, other: string) => one === other,
  ({ rows }: IssueTable, filter: string): ShownIssues => {
    const words = filter
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const kept = rows.filter(
      (row) => row.kind === 'section' || words.every((word) => searched(row).includes(word)),
    );
    const shown = kept.filter((row, at) => row.kind === 'issue' || kept[at + 1]?.kind === 'issue');
    return { rows: shown, ids: shown.flatMap((row) => (row.kind === 'issue' ? [row.id] : [])) };
  },
);

const searched = ({ name, title, state, labels, note }: IssueLine): string =>
  [name, title, state, ...labels, note].join(' ').toLowerCase();

/** The issue under the cursor: the chosen one while it is shown, else the first. */
export const selectIssue = (view: ViewState): Issue | null => {
  const table = selectIssues(view);
  if (table === null) return null;
  const { ids } = selectShownIssues(view);
  const chosen = readingOf(view.ui, 'issues').at;
  const id = chosen !== null && ids.includes(chosen) ? chosen : (ids[0] ?? '');
  return table.index.byId.get(id) ?? null;
};

/** The reading position in the details of an issue: each one has its own. */
export const issueReading = (id: IssueId): string => `issue ${id}`;

/** First row of the details in sight. */
export const detailsTop = (
  ui: { readonly readings: { readonly [pane: string]: Reading } },
  id: IssueId,
): number => readingOf(ui, issueReading(id)).top ?? 0;

/** The issue whose text must be read for its details, and its revision. `null`: nothing is missing. */
export const selectUnreadIssue = (
  view: ViewState,
): { readonly id: IssueId; readonly revision: string } | null => {
  const issue = view.ui.tab === 'issues' ? selectIssue(view) : null;
  if (issue === null) return null;
  const { id, revision } = issue;
  return view.ui.issues.read[id]?.revision === revision ? null : { id, revision };
};
