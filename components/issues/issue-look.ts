import type { Issue } from '../../src/issues/issue.ts';
import type { IssueState } from '../../src/issues/state.ts';
import type { TaskLook } from '../../src/words/task-status.ts';

/** The look of each state without anything special, the same looks that tasks have. */
const looks: { readonly [state in IssueState]: TaskLook } = {
  Backlog: 'waiting',
  'Research Needed': 'waiting',
  'Research in Progress': 'running',
  'Ready for Plan': 'waiting',
  'Plan in Progress': 'running',
  'Plan in Review': 'reviewing',
  'In Progress': 'running',
  'In Review': 'to-review',
  Done: 'done',
  'Human Needed': 'asks',
  Canceled: 'cancelled',
};

/** The glyph and colour of an issue: what needs a person is orange, what could begin now is no longer pale. */
export const lookOf = (
  { state, held, lock }: Pick<Issue, 'state' | 'held' | 'lock'>,
  { ready, humanReview }: { readonly ready: boolean; readonly humanReview: boolean },
): TaskLook => {
  if (held !== undefined) return 'paused';
  if (state === 'Plan in Review' && humanReview) return 'asks';
  // A state that a person set by hand: no session works on it.
  if (looks[state] === 'running' && lock === undefined) return ready ? 'ready' : 'waiting';
  return ready && looks[state] === 'waiting' ? 'ready' : looks[state];
};
