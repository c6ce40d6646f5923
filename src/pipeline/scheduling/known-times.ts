import { parseDuration } from '../../tasks/duration.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import type { SessionState } from '../state.ts';

/** How long the work of a task takes as far as its plan and earlier sessions say; `null` for an unknown one. */
export const earlierMs = (state: Pick<SessionState, 'earlier'>, task: TaskDefinition): number | null =>
  foretold(state, task)?.ms ?? null;

/** The same, and who says so. */
export const foretold = (
  { earlier }: Pick<SessionState, 'earlier'>,
  task: TaskDefinition,
): { readonly by: 'earlier' | 'estimate'; readonly ms: number } | null => {
  const known = Object.hasOwn(earlier.tasks, task.id) ? earlier.tasks[task.id] : undefined;
  if (known?.title === task.title) return { by: 'earlier', ms: known.ms };
  const ms = estimatedMs(task);
  return ms === null ? null : { by: 'estimate', ms };
};

/** An estimate that is a duration, such as `25m`. */
const estimatedMs = ({ metadata }: TaskDefinition): number | null => {
  const estimate = metadata?.['estimate'];
  return typeof estimate === 'string' && /[a-z]/.test(estimate) ? parseDuration(estimate) : null;
};

/** How large a task is beside others: the size that its definition names; one of which nothing is known counts as a small one. */
export const sizeOf = ({ metadata }: TaskDefinition): number => {
  const estimate = metadata?.['estimate'];
  return typeof estimate === 'string' ? (sizes.get(estimate.toUpperCase()) ?? 1) : 1;
};

const sizes: ReadonlyMap<string, number> = new Map([
  ['XS', 0.5],
  ['S', 1],
  ['M', 2],
  ['L', 4],
  ['XL', 8],
]);

/** The time of a task of size 1, before any of this session has ended; `null` where nothing is known. */
export const usualMs = ({ earlier, tasks }: Pick<SessionState, 'earlier' | 'tasks'>): number | null => {
  let ms = 0;
  let size = 0;
  for (const { definition } of tasks.values()) {
    const known = earlierMs({ earlier }, definition);
    if (known === null) continue;
    ms += known;
    size += sizeOf(definition);
  }
  return size > 0 ? ms / size : (earlier.usual?.ms ?? null);
};

/**
 * How long a check takes beside a work, to the nearest power of two: the order of all tasks depends on it, and is not to change with each check that ends.
 * 0 before both are known.
 */
export const checkShare = ({ ended: { works, checks } }: Pick<SessionState, 'ended'>): number =>
  works.ms === 0 || checks.ms === 0
    ? 0
    : 2 ** Math.round(Math.log2((checks.ms * works.count) / (works.ms * checks.count)));
