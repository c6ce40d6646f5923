import { backendOf } from '../invoke.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';
import { foretold, sizeOf, usualMs } from './known-times.ts';
import { before, drawnOf, type Lognormal, type Spread, told, usualOf } from './spread.ts';

/** The belief about the times of works and checks, from the times that ended here and those of earlier sessions. */
export interface Beliefs extends Of<Spread> {
  readonly failing: number;
}

/** `null` where too little is known. */
export const beliefsOf = (state: SessionState, at: number): Beliefs | null => {
  const tasks = [...state.tasks.values()];
  const ended = tasks.flatMap((task) =>
    task.workedMs === null ? [] : [beside(task.workedMs, foretoldOf(state, task))],
  );
  const usual = usualMs(state);
  if (usual === null && ended.length < Math.min(leastEnded, Math.ceil(tasks.length / 4))) return null;
  const running = (mode: Invocation['mode']): readonly Beside[] =>
    [...state.invocations.values()].flatMap((each) => {
      const task = each.task === null ? undefined : state.tasks.get(each.task);
      if (task === undefined || each.mode !== mode) return [];
      return [beside(passedOf(each, at), foretoldOf(state, task))];
    });
  const works = running('IMPLEMENT');
  const spreadOf = (kind: Kind, from: Spread): Spread =>
    told(from, timesOf(kind, ended), timesOf(kind, works));
  const size = spreadOf('size', usual === null ? before(1, 0, usually, 3) : before(usual, 3, usually, 8));
  return {
    // Commands take about as long as the last time. Agents do not.
    earlier: spreadOf(
      'earlier',
      before(1, 4, backendOf(state, 'Executor', null) === 'script' ? 0.1 : 0.35, 4),
    ),
    estimate: spreadOf('estimate', before(1, 2, usually, 4)),
    size,
    check: told(
      before((usual ?? mean(ended.map(({ ms }) => ms))) / 4, 0.1, usually, 4),
      tasks.flatMap(({ checkedMs }) => checkedMs ?? []),
      running('TASK_REVIEW').map(({ ms }) => ms),
    ),
    failing: tasks.reduce((sum, { failures }) => sum + failures, 0) / (state.ended.works.count + leastEnded),
  };
};

/** The source of the time of a work: its own in an earlier attempt or session, its estimate, or only the others with their sizes. */
type Kind = 'earlier' | 'estimate' | 'size';

/** The times of each kind beside those that were expected; of checks and of works of which nothing is known the times themselves. */
type Of<T> = Readonly<Record<Kind | 'check', T>>;

export interface Times extends Of<Lognormal> {
  /** The share of attempts that fail. */
  readonly failing: number;
}

const leastEnded = 3;

/** Works of one session differ by a factor of about two before anything is known of them. */
const usually = 0.6;

export interface Foretold {
  readonly by: Kind;
  readonly ms: number;
}

export const foretoldOf = (state: SessionState, { definition }: TaskState): Foretold =>
  foretold(state, definition) ?? { by: 'size', ms: sizeOf(definition) };

interface Beside {
  readonly kind: Kind;
  readonly ms: number;
  readonly times: number;
}

const beside = (ms: number, expected: Foretold): Beside => ({
  kind: expected.by,
  ms,
  times: ms / expected.ms,
});

const timesOf = (kind: Kind, all: readonly Beside[]): readonly number[] =>
  all.flatMap((each) => (each.kind === kind ? [each.times] : []));

/** 0 for none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const passedOf = ({ startedAt, heldMs }: Invocation, at: number): number =>
  Math.max(0, at - Date.parse(startedAt) - heldMs);

export const usualTimes = ({ earlier, estimate, size, check, failing }: Beliefs): Times => ({
  earlier: usualOf(earlier),
  estimate: usualOf(estimate),
  size: usualOf(size),
  check: usualOf(check),
  failing,
});

/** The shares, from 0 to 1, that choose one of the possible distributions; checks have a mean of their own. */
interface Draw {
  readonly mean: number;
  readonly ofCheck: number;
  readonly deviation: number;
}

export const drawnTimes = (
  { earlier, estimate, size, check, failing }: Beliefs,
  { mean, ofCheck, deviation }: Draw,
): Times => ({
  earlier: drawnOf(earlier, { mean, deviation }),
  estimate: drawnOf(estimate, { mean, deviation }),
  size: drawnOf(size, { mean, deviation }),
  check: drawnOf(check, { mean: ofCheck, deviation }),
  failing,
});
