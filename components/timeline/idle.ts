import { tasksAtWork } from '../../src/pipeline/scheduling/ready.ts';
import { freeSlots } from '../../src/pipeline/scheduling/slots.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { TaskId } from '../../src/tasks/task.ts';
import { keep, type Mutable } from './waits.ts';

/** A span in which slots for Executors had no work. Times are milliseconds since the epoch. */
export interface Idle {
  readonly slots: number;
  /** The tasks that were looked at or worked on meanwhile. */
  readonly works: readonly TaskId[];
  /** A task whose blockers were done, and which could not run beside them; `null` for none. */
  readonly held: TaskId | null;
  readonly from: number;
  /** `null`: until now. */
  readonly to: number | null;
}

/** Begins and ends spans with idle slots where what is at work changed. */
export const followIdle = (idle: Mutable<Idle>[], session: SessionState, at: number): void => {
  const now = idleIn(session);
  const last = idle.at(-1);
  const open = last?.to === null ? last : null;
  if (open !== null) {
    if (now !== null && isSame(open, now)) return;
    open.to = at;
    // The next task starts in a moment.
    if (at - open.from < leastMs) idle.pop();
  }
  if (now !== null) keep(idle, { ...now, from: at, to: null });
};

const leastMs = 1_000;

type Now = Pick<Idle, 'slots' | 'works' | 'held'>;

const isSame = (one: Now, other: Now): boolean =>
  one.slots === other.slots &&
  one.held === other.held &&
  one.works.length === other.works.length &&
  one.works.every((id, index) => id === other.works[index]);

/** Slots without work while tasks are at work; `null` where all work, nothing does, or the session stands. */
const idleIn = (session: SessionState): Now | null => {
  if (session.mode !== 'waves' || !session.running || session.hold !== null || session.drain !== null)
    return null;
  const busy = tasksAtWork(session);
  const slots = busy.size === 0 ? 0 : freeSlots(session);
  if (slots <= 0) return null;
  return { slots, works: [...busy], held: session.batch.find((id) => !busy.has(id)) ?? null };
};
