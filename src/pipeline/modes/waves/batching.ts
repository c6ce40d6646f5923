import { waitsForResolution } from '../../changes/merging.ts';
import { outdatedCheck } from '../../changes/outdated.ts';
import { ends, stopped } from '../../ends.ts';
import { inOrder } from '../../scheduling/batch.ts';
import { isForBatch } from '../../scheduling/ready.ts';
import { enter } from '../../step.ts';
import { standingOf, unsettledLevel } from '../../waves.ts';
import type { Stage } from '../stage.ts';
import { planAgain } from './plan-again.ts';

/** Chooses what may start now. Escalated tasks are planned again beside it. */
export const batching: Stage = (state) => {
  if (state.batch.length > 0) return enter(state, 'EXECUTING_BATCH');
  const again = planAgain(state);
  if (again) return again;
  const standing = standingOf(state);
  const wave = unsettledLevel(state, standing);
  const tasks = [...state.tasks.values()].flatMap((task) =>
    isForBatch(state, task) ? task.definition.id : [],
  );
  if (wave !== null && tasks.length > 0)
    return { type: 'wave.chosen', wave, tasks: [...inOrder(state, tasks)] };
  const works = [...state.invocations.values()];
  if (works.some(({ mode }) => mode !== 'TASK_REVIEW')) return null;
  const inReview = [...state.tasks.values()].filter((task) => task.status === 'review');
  // Results that nobody has reviewed yet.
  if (works.length > 0 || inReview.some((task) => !waitsForResolution(state, task)))
    return enter(state, 'REVIEWING_BATCH');
  if (wave === null) return outdatedCheck(state) ?? enter(state, 'SESSION_REVIEW');
  // A conflict blocks only its dependants, and a Planner may wait for its next try.
  if (inReview.length > 0 || [...state.tasks.values()].some(({ replan }) => replan !== null)) return null;
  return stopped(state, ends.blocked(`no task in wave ${wave} can start`));
};
