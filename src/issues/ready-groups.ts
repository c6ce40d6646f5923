import { groupOf } from './group.ts';
import type { Issue, IssueId } from './issue.ts';
import { type IssueIndex, readyIssues } from './issue-index.ts';

/** A group with an issue that work could begin on. */
export interface ReadyGroup {
  /** The first ready one: a run for it takes on the group. */
  readonly issue: Issue;
  /** How many other issues come with it. */
  readonly more: number;
}

/** Every group with something ready, the most urgent first. A plan that waits for a person makes nothing ready. */
export const readyGroups = (index: IssueIndex): readonly ReadyGroup[] => {
  const seen = new Set<IssueId>();
  return readyIssues(index).flatMap((issue) => {
    if (seen.has(issue.id) || issue.state === 'Plan in Review') return [];
    const order = groupOf(index, issue.id)?.order ?? [issue.id];
    for (const id of order) seen.add(id);
    return [{ issue, more: order.length - 1 }];
  });
};
