import { groupOf } from './group.ts';
import type { IssueId } from './issue.ts';
import type { IssueIndex } from './issue-index.ts';

/** What a flow works on. */
export interface FlowWorkload {
  /** The issue that it was started for. */
  readonly issue: IssueId;
  /** That issue alone, without its group. */
  readonly only: boolean;
  /** The issues of its task list; empty while it has none, as before the first reading and after a split. */
  readonly listed: readonly IssueId[];
}

/** The issues of `mine` that another flow works on, or will once it has its list. */
export const sharedWork = (
  index: IssueIndex,
  mine: readonly IssueId[],
  { issue, only, listed }: FlowWorkload,
): readonly IssueId[] => {
  const theirs = new Set(listed.length > 0 ? listed : [issue, ...(groupOf(index, issue, only)?.order ?? [])]);
  return mine.filter((id) => theirs.has(id));
};
