import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import type { IssueAction } from './issues-view.ts';

/** Issues kept in full: going back to the last ones reads nothing again. */
const mostRead = 30;

export const reduceIssues = (view: ViewState, action: IssueAction): ViewState => {
  const { issues } = view.ui;
  switch (action.type) {
    case 'issues-asked':
      return withUi(view, { issues: { ...issues, asked: issues.asked + 1 } });
    case 'issues-read': {
      const { reading } = action;
      return withUi(view, {
        issues: reading.ok
          ? { ...issues, board: reading.board, error: null }
          : { ...issues, error: reading.error },
      });
    }
    case 'issue-read': {
      const { id, revision, reading } = action;
      const { [id]: _, ...others } = issues.read;
      const kept = Object.entries(others).slice(1 - mostRead);
      const of = reading.ok ? reading.issue : reading.error;
      return withUi(view, {
        issues: { ...issues, read: { ...Object.fromEntries(kept), [id]: { revision, of } } },
      });
    }
  }
};
