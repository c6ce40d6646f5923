import type { TaskId } from '../../tasks/task.ts';
import type { Event, EventType } from '../event.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf } from '../waves.ts';
import { byChain } from './chain.ts';
import { isForBatch, isOver } from './ready.ts';

/** The tasks in the order in which they start. */
export const inOrder = (state: SessionState, ids: readonly TaskId[]): readonly TaskId[] => {
  const compare = byChain(state);
  return known(state, ids)
    .toSorted(compare)
    .map(({ definition }) => definition.id);
};

const known = ({ tasks }: SessionState, ids: readonly TaskId[]): readonly TaskState[] =>
  ids.flatMap((id) => tasks.get(id) ?? []);

/**
 * What an event lets start joins the batch at once: nothing waits until the rest of it has returned. Only the neighbours of the event's task are looked
 * at, so that an event costs the same however many tasks there are. BATCHING finds what this misses.
 */
export const withJoining = (state: SessionState, event: Event): SessionState => {
  if (!inBatch.has(state.state) || !unblocking.has(event.type)) return state;
  const joining = neighbours(state, event).filter(
    (id, at, all) => all.indexOf(id) === at && !state.batch.includes(id),
  );
  const ready = known(state, joining).filter((task) => isForBatch(state, task));
  return {
    ...state,
    wave: levelOf(state, ready),
    ...(ready.length === 0 ? {} : { batch: merged(state, ready) }),
  };
};

const inBatch: ReadonlySet<string> = new Set(['EXECUTING_BATCH', 'REVIEWING_BATCH']);

const unblocking: ReadonlySet<EventType> = new Set<EventType>([
  'task.qualified',
  'task.failed',
  'verify.disturbed',
  'task.reset',
  'task.cancelled',
  'task.replaced',
  'task.edited-by-hand',
  'tasks.defined',
]);

const neighbours = (state: SessionState, event: Event): readonly TaskId[] => {
  if (event.type === 'tasks.defined') return event.tasks.map(({ id }) => id);
  if (!('task' in event) || event.task === undefined) return [];
  const dependants = graphOf(state).dependantsOf.get(event.task) ?? [];
  return [event.task, ...(state.tasks.get(event.task)?.status === 'done' ? dependants : [])];
};

/** Both lists in the order in which their tasks start. The batch may have thousands: what joins is put where it belongs. */
const merged = (state: SessionState, ready: readonly TaskState[]): readonly TaskId[] => {
  const compare = byChain(state);
  const batch = [...state.batch];
  for (const task of ready) {
    let [low, high] = [0, batch.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = state.tasks.get(batch[middle] ?? '');
      if (other === undefined || compare(other, task) <= 0) low = middle + 1;
      else high = middle;
    }
    batch.splice(low, 0, task.definition.id);
  }
  return batch;
};

/** The first level of the graph with a task that is not over, counted from 1. People see it; nothing waits for it. */
const levelOf = (state: SessionState, ready: readonly TaskState[]): number | null => {
  if (state.wave === null) return null;
  const { waves, waveOf } = graphOf(state);
  const isFull = (ids: readonly TaskId[]): boolean => known(state, ids).every((task) => isOver(state, task));
  let level = Math.min(state.wave - 1, ...ready.map(({ definition }) => waveOf.get(definition.id) ?? 0));
  while (level < waves.length - 1 && isFull(waves[level] ?? [])) level += 1;
  return level + 1;
};
