import type { Mode } from '../../agents/port.ts';
import type { PlanItem } from '../../session/status.ts';
import type { EventBody } from '../event.ts';
import { invoke } from '../invoke.ts';
import type { SessionState } from '../state.ts';

/** One plan item and the mode that does it. */
export interface PlanStep {
  readonly item: PlanItem;
  readonly mode: Mode;
}

/** The first unfinished step's invocation; `null` while it works or may not start; `done` when all are finished. */
export const firstOpenStep = (state: SessionState, steps: readonly PlanStep[]): EventBody | 'done' | null => {
  const step = steps.find(({ item }) => !isFinished(state, item));
  if (!step) return 'done';
  return state.invocations.size > 0 ? null : invoke(state, step);
};

/** Marked `[x]` or `[C]`. */
export const isFinished = (state: SessionState, item: PlanItem): boolean => {
  const mark = state.planItems.get(item)?.mark;
  return mark === 'done' || mark === 'cancelled';
};
