import type { Issue } from './issue.ts';
import type { IssueIndex } from './issue-index.ts';
import { type IssueState, isTerminal, stateRank } from './state.ts';

/** The states that a parent takes over from its children, the last one first. */
const rolled = ['Done', 'In Review', 'Ready for Plan'] as const;

/**
 * The state that a parent rolls up to because all of its children are there or further on, outside the table (src/issues/README.md, States); `null` when it
 * stays. Canceled children do not count, a parent never moves back, and one that needs a person waits for that person.
 */
export const rollUp = (
  parent: Pick<Issue, 'state'>,
  children: readonly Pick<Issue, 'state'>[],
): IssueState | null => {
  const counted = children.filter(({ state }) => state !== 'Canceled');
  if (counted.length === 0 || isTerminal(parent.state) || parent.state === 'Human Needed') return null;
  if (counted.some(({ state }) => state === 'Human Needed')) return null;
  const reached = rolled.find((state) =>
    counted.every((child) => stateRank(child.state) >= stateRank(state)),
  );
  return reached !== undefined && stateRank(reached) > stateRank(parent.state) ? reached : null;
};

/** The parents whose state rolls up now. Applied again and again it ends, because no parent moves back. */
export const pendingRollUps = (
  index: IssueIndex,
): readonly { readonly issue: Issue; readonly state: IssueState }[] =>
  [...index.childrenOf].flatMap(([id, children]) => {
    const issue = index.byId.get(id);
    const state = issue === undefined ? null : rollUp(issue, children);
    return issue === undefined || state === null ? [] : [{ issue, state }];
  });
