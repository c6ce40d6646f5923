import { memoiseLast } from '../../base/memoise.ts';
import type { TaskId } from '../../tasks/task.ts';
import { backendOf } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';
import { graphOf, standingOf } from '../waves.ts';
import { knownMs, sizeOf, usualMs } from './known-times.ts';
import { type Planned, planAhead, type Resources } from './plan-ahead.ts';
import { checksBeside, isLookedAt } from './slots.ts';

/** When the work on all tasks ends, as far as it is known. */
export interface TimeLeft {
  readonly ms: number;
  /** The task at work, or next, that everything waits for longest; `null` where none stands out. */
  readonly task: TaskId | null;
}

/** The work that is left, from what is known of the times of tasks; `null` where too little is known, nothing is left, or the session stands. */
export const timeLeft = (state: SessionState, nowMs: number): TimeLeft | null => {
  if (!state.running || state.hold !== null || state.waitingSince !== null || state.mode !== 'waves')
    return null;
  const found = foreseen(state.tasks, { state, at: nowMs });
  return found === null || found.task === null
    ? null
    : { ms: Math.max(0, found.endMs - nowMs), task: found.task };
};

/** How long the tasks of a plan take in all; `null` where too little is known. `nowMs`: the time before the first starts. */
export const timeOfPlan = (state: SessionState): number | null =>
  foreseen(state.tasks, { state, at: 0 })?.endMs ?? null;

/** What changes with time alone is looked at again after so long. */
const againAfterMs = 5_000;

interface Foreseen {
  readonly endMs: number;
  readonly task: TaskId | null;
}

const foreseen = memoiseLast(
  (one: Look, other: Look) =>
    other.at >= one.at &&
    other.at < one.at + againAfterMs &&
    one.state.invocations === other.state.invocations &&
    one.state.settings === other.state.settings &&
    one.state.earlier === other.state.earlier,
  (_tasks: SessionState['tasks'], look: Look): Foreseen | null => {
    const times = timesOf(look);
    if (times === null) return null;
    const planned = plannedTasks(look, times);
    return planned.length > mostPlayed ? null : planAhead(planned, resourcesOf(look.state), look.at);
  },
  2,
);

/** To play more would take the screen's time. */
const mostPlayed = 1_000;

interface Look {
  readonly state: SessionState;
  readonly at: number;
}

interface Times {
  /** Mean time of a task of size 1. */
  readonly work: number;
  /** How much the times of tasks differ: 0 where all take the same, 1 where some take many times as long as others. */
  readonly spread: number;
  readonly check: number;
}

/** What has ended here, together with what earlier sessions say. What has run for long counts too: short tasks end first. */
const timesOf = ({ state, at }: Look): Times | null => {
  const tasks = [...state.tasks.values()];
  const works = tasks.flatMap(({ definition, workedMs }) =>
    workedMs === null ? [] : [{ ms: workedMs, size: sizeOf(definition) }],
  );
  const usual = usualMs(state);
  if (usual === null && works.length < Math.min(leastEnded, Math.ceil(tasks.length / 4))) return null;
  const all = usual === null ? works : [...works, { ms: usual, size: 1 }];
  const size = sum(all.map((each) => each.size));
  const running = tasks.map((task) => (task.status === 'running' ? elapsed(task, at) : 0));
  const work = (sum(all.map(({ ms }) => ms)) + sum(running)) / size;
  const checks = tasks.flatMap(({ checkedMs }) => checkedMs ?? []);
  const squares = all.map((each) => (each.ms / each.size / work - 1) ** 2);
  return {
    work,
    spread: Math.min(1, Math.sqrt(sum(squares) / squares.length)),
    check: checks.length === 0 ? 0 : sum(checks) / checks.length,
  };
};

const leastEnded = 3;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const elapsed = ({ startedAt, heldMs }: TaskState, at: number): number =>
  startedAt === null ? 0 : Math.max(0, at - Date.parse(startedAt) - heldMs);

const plannedTasks = (look: Look, times: Times): readonly Planned[] => {
  const { state } = look;
  const { settled, unreachable } = standingOf(state);
  const { blockersOf } = graphOf(state);
  const working = new Map([...state.invocations.values()].map((each) => [each.task, each]));
  return [...state.tasks.values()].flatMap((task): readonly Planned[] => {
    const { id } = task.definition;
    if (settled.has(id) || unreachable.has(id)) return [];
    const blockers = blockersOf.get(id) ?? [];
    return [{ task: task.definition, blockers, ...planned(look, times, task, working.get(id)) }];
  });
};

const planned = (
  { state, at }: Look,
  times: Times,
  task: TaskState,
  now: Invocation | undefined,
): Pick<Planned, 'work' | 'check' | 'stage'> => {
  const known = knownMs(state, task);
  const work = known ?? sizeOf(task.definition) * times.work;
  const check = isLookedAt(state, task) ? (task.checkedMs ?? times.check) : 0;
  const passed = now === undefined ? 0 : Math.max(0, at - Date.parse(now.startedAt) - now.heldMs);
  if (task.status === 'review')
    return now === undefined
      ? { work: 0, check, stage: 'worked' }
      : { work: 0, check: remaining(check, passed, 0), stage: 'checking' };
  return now === undefined
    ? { work, check, stage: 'waiting' }
    : { work: remaining(work, passed, known === null ? times.spread : 0), check, stage: 'working' };
};

/** The more times differ, the less is known of what is left of one: a task that has taken long is one of the long ones. */
const remaining = (expected: number, passed: number, spread: number): number =>
  Math.max(expected - (1 - spread) * Math.min(expected, passed), passed / 10);

/** Checks of commands as the scheduler runs them; other reviews take no slot. */
const resourcesOf = (state: SessionState): Resources => ({
  slots: Math.max(1, state.settings.concurrency.max_parallel_executors),
  checks:
    backendOf(state, 'Reviewer', null) === 'script'
      ? checksBeside(state)
      : state.settings.concurrency.max_parallel_reviewers,
  isShared: !isIsolated(state),
});
