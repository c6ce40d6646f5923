import { isComplete } from '../../../session/status.ts';
import type { SessionState } from '../../state.ts';
import { type Listed, listOf } from './flow-tasks.ts';
import { isOnline } from './pull-request.ts';

/**
 * The pull requests of a complete session whose issues are in review still: nobody watched them, because the session ran without a screen and without
 * `--watch`. A start that watches looks at them again. With `flow.auto_merge` they were watched: their task is done because the checks passed.
 */
export const unwatched = (state: SessionState): readonly Listed[] => {
  const { flow } = state;
  if (flow === null || flow.auto_merge || !isComplete(state) || state.status === 'aborted') return [];
  const inReview = new Set(
    (flow.reading?.issues ?? []).flatMap((issue) => (issue.state === 'In Review' ? [issue.id] : [])),
  );
  return listOf(state, flow).filter(
    ({ task, listed, work }) =>
      listed.phase === 'pr' &&
      task.status === 'done' &&
      isOnline(work) &&
      listed.issues.some((id) => inReview.has(id)),
  );
};

/** Opens those tasks again, with their results. */
export const watchAgain = (state: SessionState): Partial<SessionState> => {
  const found = unwatched(state);
  if (found.length === 0) return {};
  const opened = found.map(({ task, listed }) => [listed.id, { ...task, status: 'review' }] as const);
  return { reopened: true, tasks: new Map([...state.tasks, ...opened]) };
};
