import { safe } from '../../base/safe.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { lockText } from '../../issues/lock.ts';
import { type IssueState, issueStateSchema } from '../../issues/state.ts';
import { checkMove } from '../../issues/transitions.ts';
import { issueTable } from '../issues/issue-rows.ts';
import type { MoveIssueOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';

/** The question, as the latest reading of the tracker has it. */
interface MoveQuestion {
  readonly id: IssueId;
  readonly from: IssueState;
  /** Where a person may move it. */
  readonly states: readonly IssueState[];
  /** Who holds it. Moving it takes that lock away. `null`: nobody does. */
  readonly lock: string | null;
}

/** `null` when the issue is gone. */
export const selectMove = (view: ViewState, { issue: id }: MoveIssueOverlay): MoveQuestion | null => {
  const { board } = view.ui.issues;
  const issue = board === null ? undefined : issueTable(board).index.byId.get(id);
  if (issue === undefined) return null;
  return {
    id,
    from: issue.state,
    states: movesOf(issue),
    lock: issue.lock === undefined ? null : safe(lockText(issue.lock)),
  };
};

/** The states that a person may move the issue to, in the order of the work. */
export const movesOf = ({ state }: Pick<Issue, 'state'>): readonly IssueState[] =>
  issueStateSchema.options.filter((next) => next !== state && checkMove(state, next, 'person').ok);
