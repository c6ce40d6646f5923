import { printedCommand } from '../../base/process/printed-command.ts';
import type { IssueId } from '../../issues/issue.ts';
import { type IssueState, stateSlug } from '../../issues/state.ts';
import { stateAfter } from '../../issues/transitions.ts';

/** How a person has an issue worked on again that was left to them in this state: part of each comment that leaves one. */
export const goOnText = (issue: IssueId, state: IssueState): string => {
  const move = printedCommand('ralph-tui', 'issues', 'move', issue, stateSlug(stateBefore(state)));
  return `To continue once the cause is gone: \`${move}\`, then \`${printedCommand('ralph-tui', 'run', '--issue', issue)}\`.`;
};

/** Where a person brings the issue back to: the state in which the work of the failed one begins. */
const stateBefore = (state: IssueState): IssueState => {
  for (const intent of ['fail', 'reject'] as const) {
    const back = stateAfter(state, intent);
    if (back.ok) return back.value;
  }
  return state;
};
