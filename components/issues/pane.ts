import { listTop } from '../draw/window-top.ts';
import { issuesCommand } from '../in-lines.ts';
import { nothingToCopy } from '../pane/copyable.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { type Reading, readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move, UiAction } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';
import { issueDetailRows } from './issue-details.ts';
import { issuesLayout } from './issues-layout.ts';
import { detailsTop, issueReading, selectIssue, selectIssues, selectShownIssues } from './select-issues.ts';

const reads = (change: Partial<Reading>): UiAction => ({ type: 'read', pane: 'issues', change });

/** The issues of the workspace's tracker: a list, and the details of the one under the cursor. */
export const issuesPane = {
  ...plainPane,
  name: 'issues',
  title: 'Issues',
  short: 'Iss',
  inLines: issuesCommand,
  keys: ['look.open', 'issues.start', 'issues.move', 'issues.browse', 'issues.refresh', 'read.search'],
  kind: 'tab',
  badge: (view) => {
    const waiting = selectIssues(view)?.needsPerson ?? 0;
    return waiting > 0 ? ` ?${waiting}` : '';
  },
  empty: (view) => {
    const { board, error } = view.ui.issues;
    if (board === null) return error ?? 'Reading the tracker…';
    if (board.issues.length === 0 && error === null && board.problems.length === 0)
      return 'No issues yet: `ralph-tui issues new TITLE` creates one; {issues.refresh} reloads the list.';
    return null;
  },
  copy: (view) => {
    const issue = selectIssue(view);
    if (issue === null) return nothingToCopy;
    return { text: issue.id, path: null, why: 'An issue is not a file: {issues.browse} opens its page' };
  },
  move: (view, by) => (isOpen(view) ? scrollDetails(view, by) : moveInList(view, by)),
  open: (view) => {
    const issue = selectIssue(view);
    return issue === null ? 'Nothing is chosen here' : [reads({ at: issue.id, open: !isOpen(view) })];
  },
  back: (view) => {
    const { open, at, filter } = readingOf(view.ui, 'issues');
    if (open) return reads({ open: false });
    if (filter !== '') return { type: 'filtered', pane: 'issues', text: '' };
    return at === null ? null : reads({ at: null, top: null });
  },
  filter: {
    label: 'Show issues with',
    text: (view) => readingOf(view.ui, 'issues').filter,
    set: (view, filter) => withReading(view, 'issues', { filter, top: null, open: false }),
    found: (view) => `${selectShownIssues(view).ids.length} of ${selectIssues(view)?.ids.length ?? 0}`,
  },
} as const satisfies Pane<'issues'>;

const isOpen = (view: ViewState): boolean => readingOf(view.ui, 'issues').open;

const moveInList = (view: ViewState, by: Move): ViewState => {
  const { rows, ids } = selectShownIssues(view);
  const { list } = issuesLayout(view);
  const at = selectIssue(view)?.id ?? '';
  if (by === 'wheel-up' || by === 'wheel-down') {
    const row = rows.findIndex((each) => each.kind === 'issue' && each.id === at);
    const top = listTop(readingOf(view.ui, 'issues').top, rows.length, row, list);
    const last = Math.max(0, rows.length - list);
    return withReading(view, 'issues', { top: Math.min(last, stepBy(top, by, rows.length, list)) });
  }
  const to = stepBy(ids.indexOf(at), by, ids.length, list);
  return withReading(view, 'issues', { at: ids[to] ?? null, top: null });
};

const scrollDetails = (view: ViewState, by: Move): ViewState => {
  const issue = selectIssue(view);
  if (issue === null) return view;
  const { details, width } = issuesLayout(view);
  const last = Math.max(0, issueDetailRows(view, width).length - details);
  const from = Math.min(detailsTop(view.ui, issue.id), last);
  return withReading(view, issueReading(issue.id), { top: stepBy(from, by, last + 1, details) });
};
