import { selectLayout } from '../layout.ts';
import { readingOf } from '../reading.ts';
import type { ViewState } from '../view.ts';
import { selectShownIssues } from './select-issues.ts';

/** Rows of the Issues tab below its title. 0 is a part that is not drawn. */
interface IssuesLayout {
  readonly width: number;
  readonly list: number;
  readonly details: number;
  /** Whether a failed reading or a problem of the tracker takes the first row. */
  readonly notice: boolean;
}

/** Below this height the details need Enter. */
const bothFrom = 18;

/** The tab of this view, where its keys are. */
export const issuesLayout = (view: ViewState): IssuesLayout => {
  const { right, top } = selectLayout(view);
  return issuesLayoutOf(view, right, top - 1);
};

/** The list above the details of the issue under the cursor where there is room for both, else one of them. */
export const issuesLayoutOf = (view: ViewState, width: number, height: number): IssuesLayout => {
  const { board, error } = view.ui.issues;
  const notice = error !== null || (board?.problems.length ?? 0) > 0;
  const room = Math.max(1, height - (notice ? 1 : 0));
  if (readingOf(view.ui, 'issues').open) return { width, list: 0, details: room, notice };
  if (room < bothFrom) return { width, list: room, details: 0, notice };
  const wanted = selectShownIssues(view).rows.length;
  // A rule is between the two.
  const list = Math.max(1, Math.min(wanted, Math.floor(room * 0.55)));
  return { width, list, details: room - list - 1, notice };
};
