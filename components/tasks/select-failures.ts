import { failureClause } from '../../src/words/events/failure-words.ts';
import type { ViewState } from '../view.ts';
import { selectTasks } from './select-tasks.ts';

/** Failures for a headline: how many, and the first cause. */
interface Failures {
  /** "3 failed, 2 unreachable". */
  readonly counts: string;
  /** "install failed: uv: not found". */
  readonly cause: string;
}

/** `null` while nothing has failed for good. A loop continues after a failed turn, so it has none. */
export const selectFailures = (view: Pick<ViewState, 'session'>): Failures | null => {
  if (view.session?.mode === 'loop') return null;
  const { failed, firstFailed, standing } = selectTasks(view);
  const first = view.session?.tasks.get(firstFailed ?? '');
  if (first === undefined) return null;
  const lost = standing.unreachable.size;
  const clause = failureClause(first.reason, first.cause);
  return {
    counts: [`${failed} failed`, ...(lost > 0 ? [`${lost} unreachable`] : [])].join(', '),
    cause: `${first.definition.id} failed${clause === '' ? '' : `: ${clause}`}`,
  };
};
