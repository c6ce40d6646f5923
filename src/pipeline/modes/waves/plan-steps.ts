import type { Mode } from '../../../agents/port.ts';
import type { PlanItem } from '../../../session/status.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState } from '../../state.ts';

/** One plan item and its mode. */
interface PlanStep {
  readonly item: PlanItem;
  readonly mode: Mode;
}

/** Starts the first unfinished step. `null` while it runs or may not start; `done` when all are finished. */
export const firstOpenStep = (state: SessionState, steps: readonly PlanStep[]): EventBody | 'done' | null => {
  const step = steps.find(({ item }) => !isFinished(state, item));
  if (!step) return 'done';
  return state.invocations.size > 0 ? null : invoke(state, step);
};

/** True for an item marked `[x]` or `[C]`. */
export const isFinished = (state: SessionState, item: PlanItem): boolean => {
  const mark = state.planItems.get(item)?.mark;
  return mark === 'done' || mark === 'cancelled';
};
