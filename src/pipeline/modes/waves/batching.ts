import { waitsForResolution } from '../../changes/merging.ts';
import { ends, stopped } from '../../ends.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import { currentWave, nextReadyWave } from '../../waves.ts';
import type { Stage } from '../stage.ts';

/** Chooses the first wave with an unsettled task. Escalated tasks are planned again before, because the waves depend on them. */
export const batching: Stage = (state) => {
  if (state.invocations.size > 0) return null;
  if (state.batch.length > 0) return enter(state, 'EXECUTING_BATCH');
  const before = replacement(state) ?? replanning(state);
  if (before) return before.step;
  const current = currentWave(state);
  if (!current) return enter(state, 'SESSION_REVIEW');
  if (current.ready.length > 0) return { type: 'wave.chosen', wave: current.wave, tasks: [...current.ready] };
  const inReview = [...state.tasks.values()].filter((task) => task.status === 'review');
  // Unreviewed results of a wave that was left.
  if (inReview.some((task) => !waitsForResolution(state, task))) return enter(state, 'REVIEWING_BATCH');
  if (inReview.length > 0) return besideConflict(state);
  return stopped(state, ends.blocked(`no task in wave ${current.wave} can start`));
};

/** A conflict blocks only its dependants: the next wave with a task that can start begins. `null`: all wait for a person. */
const besideConflict = (state: SessionState): EventBody | null => {
  const beyond = nextReadyWave(state);
  return beyond && { type: 'wave.chosen', wave: beyond.wave, tasks: [...beyond.ready] };
};

interface Before {
  readonly step: EventBody | null;
}

/** Closes a task that was split: its parts replace it. */
const replacement = (state: SessionState): Before | null => {
  for (const [id, task] of state.tasks) {
    const parts = task.definition.replaced_by.filter((part) => part !== id && state.tasks.has(part));
    if (parts.length > 0 && (task.status === 'open' || task.status === 'failed'))
      return { step: { type: 'task.replaced', task: id, by: parts } };
  }
  return null;
};

const replanning = (state: SessionState): Before | null => {
  for (const task of state.tasks.values())
    if (task.replan !== null && task.status === 'open')
      return { step: invoke(state, { mode: 'REBREAKDOWN_TASK', task }) };
  return null;
};
