import { safe } from '../../src/base/safe.ts';
import type { Issue, IssueId } from '../../src/issues/issue.ts';
import { holderText } from '../../src/issues/lock.ts';
import { type IssueState, issueStateSchema } from '../../src/issues/state.ts';
import { checkMove } from '../../src/issues/transitions.ts';
import { issuesNeedingPerson } from '../../src/pipeline/modes/flow/needs-person.ts';
import type { MoveIssueOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { selectHolder, selectIssues } from './select-issues.ts';

/** The question, as the latest reading of the tracker has it. */
interface MoveQuestion {
  readonly id: IssueId;
  readonly from: IssueState;
  /** Where a person may move it. */
  readonly states: readonly IssueState[];
  /** Why only a person can move it on; '' where the session does not say. */
  readonly why: string;
  /** Who holds it, and since when (ISO 8601). Moving it takes that lock away. `null`: nobody does. */
  readonly lock: { readonly by: string; readonly since: string } | null;
}

/** `null` when the issue is gone. */
export const selectMove = (view: ViewState, { issue: id }: MoveIssueOverlay): MoveQuestion | null => {
  const issue = selectIssues(view)?.index.byId.get(id);
  if (issue === undefined) return null;
  const { lock } = issue;
  const { session } = view;
  const needing = session && issuesNeedingPerson(session).find((each) => each.issue === id);
  return {
    id,
    from: issue.state,
    states: movesOf(issue),
    why: safe(needing?.reason ?? ''),
    lock: lock === undefined ? null : { by: safe(holderText(lock, selectHolder(view))), since: lock.since },
  };
};

/** The states that a person may move the issue to, in the order of the work. */
export const movesOf = ({ state }: Pick<Issue, 'state'>): readonly IssueState[] =>
  issueStateSchema.options.filter((next) => next !== state && checkMove(state, next, 'person').ok);
