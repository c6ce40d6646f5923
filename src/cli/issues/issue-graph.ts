import { safe } from '../../base/safe.ts';
import { orderGroup } from '../../issues/group.ts';
import type { IssueIndex } from '../../issues/issue-index.ts';
import { blockersForOrder } from '../../issues/issue-index.ts';
import { isTerminal } from '../../issues/state.ts';
import { cyclePath, cycleText } from '../../tasks/cycle-path.ts';

/** Nodes and edges for scripts. */
export const issueEdges = (index: IssueIndex) =>
  [...index.byId.values()].map(({ id, state, parent, blockedBy }) => ({
    id,
    state,
    parent: parent ?? null,
    blockedBy,
    blocks: index.blocks.get(id) ?? [],
  }));

/** The open issues, blockers first, each with what it waits for; then the cycles. */
export const graphLines = (index: IssueIndex): readonly string[] => {
  const open = [...index.byId.values()].filter(({ state }) => !isTerminal(state));
  const ordered = orderGroup(
    open.map((issue) => ({ id: issue.id, blockedBy: blockersForOrder(index, issue) })),
  );
  const lines = ordered.order.map((id) => {
    const issue = index.byId.get(id);
    const blockers = (issue?.blockedBy ?? []).filter((blocker) => !isDone(index, blocker));
    const waits = blockers.length === 0 ? '' : `  ← ${blockers.join(', ')}`;
    return safe(`${'  '.repeat(depthOf(index, id))}${id}  ${issue?.title ?? ''}${waits}`);
  });
  const blockersOf = new Map(open.map(({ id, blockedBy }) => [id, blockedBy]));
  const cycles = ordered.cycles.map((members) => safe(`cycle: ${cycleText(cyclePath(members, blockersOf))}`));
  return lines.length === 0 ? ['no open issues'] : [...lines, ...cycles];
};

const isDone = (index: IssueIndex, id: string): boolean => {
  const issue = index.byId.get(id);
  return issue !== undefined && isTerminal(issue.state);
};

const depthOf = (index: IssueIndex, id: string): number => {
  const parent = index.parentOf.get(id);
  return parent === undefined ? 0 : 1 + depthOf(index, parent);
};
