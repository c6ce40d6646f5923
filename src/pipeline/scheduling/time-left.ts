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
    const left = tasksLeft(look);
    if (left.length > mostPlayed) return null;
    const play = (share: (position: number) => number | null) =>
      planAhead(
        left.map((each) => planned(look, times, each, share(each.position))),
        resourcesOf(look.state),
        look.at,
      );
    const usual = play(() => null);
    const plays = left.some(({ task }) => knownMs(look.state, task) === null)
      ? Math.min(mostPlays, Math.floor(mostPlayed / left.length))
      : 1;
    if (plays < 2) return usual;
    const ends = Array.from({ length: plays }, (_, at) => play((task) => shareOf(task, at)).endMs);
    return { endMs: mean(ends), task: usual.task };
  },
  2,
);

/** So many times the rest of the graph is played with other times; a prime number, for `shareOf`. */
const mostPlays = 11;

/** Which of the known times a task gets in a play, from 0 to 1: over all plays it gets each part of them once, and of 110 tasks no two get them alike. */
const shareOf = (task: number, play: number): number =>
  (((1 + ((task * 7) % (mostPlays - 1))) * play + task * 5) % mostPlays) / mostPlays + 0.5 / mostPlays;

/** To play more would take the screen's time. */
const mostPlayed = 1_000;

interface Look {
  readonly state: SessionState;
  readonly at: number;
}

interface Times {
  /** Mean time of a task of size 1. */
  readonly work: number;
  /** Each for a task of size 1, the shortest first. */
  readonly works: readonly number[];
  readonly check: number;
}

/** What has ended here, together with what earlier sessions say. What has run for long counts too: short tasks end first. */
const timesOf = ({ state, at }: Look): Times | null => {
  const tasks = [...state.tasks.values()];
  const works = tasks.flatMap(({ definition, workedMs }) =>
    workedMs === null ? [] : [workedMs / sizeOf(definition)],
  );
  const usual = usualMs(state);
  if (usual === null && works.length < Math.min(leastEnded, Math.ceil(tasks.length / 4))) return null;
  const ended = usual === null ? works : [...works, usual];
  const running = tasks.flatMap((task) => {
    const ms = task.status === 'running' ? longerThanAll * (elapsed(task, at) / sizeOf(task.definition)) : 0;
    return ms > mean(ended) ? [ms] : [];
  });
  const all = [...ended, ...running];
  return {
    work: mean(all),
    works: all.toSorted((one, other) => one - other),
    check: mean(tasks.flatMap(({ checkedMs }) => checkedMs ?? [])),
  };
};

const leastEnded = 3;

/** 0 for none. */
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const elapsed = ({ startedAt, heldMs }: TaskState, at: number): number =>
  startedAt === null ? 0 : Math.max(0, at - Date.parse(startedAt) - heldMs);

interface Left {
  readonly task: TaskState;
  /** Among all tasks of the plan. */
  readonly position: number;
  readonly blockers: readonly TaskId[];
  readonly now: Invocation | undefined;
  readonly passed: number;
}

const tasksLeft = ({ state, at }: Look): readonly Left[] => {
  const { settled, unreachable } = standingOf(state);
  const { blockersOf } = graphOf(state);
  const working = new Map([...state.invocations.values()].map((each) => [each.task, each]));
  return [...state.tasks.values()].flatMap((task, position): readonly Left[] => {
    const { id } = task.definition;
    if (settled.has(id) || unreachable.has(id)) return [];
    const now = working.get(id);
    const passed = now === undefined ? 0 : Math.max(0, at - Date.parse(now.startedAt) - now.heldMs);
    return [{ task, position, blockers: blockersOf.get(id) ?? [], now, passed }];
  });
};

const planned = (
  { state }: Look,
  times: Times,
  { task, blockers, now, passed }: Left,
  share: number | null,
): Planned => {
  const known = knownMs(state, task);
  const weight = known ?? sizeOf(task.definition) * times.work;
  const check = isLookedAt(state, task) ? (task.checkedMs ?? times.check) : 0;
  const of = { task: task.definition, blockers };
  if (task.status === 'review')
    return now === undefined
      ? { ...of, work: 0, weight: 0, check, stage: 'worked' }
      : { ...of, work: 0, weight: 0, check: remaining(check, passed), stage: 'checking' };
  const work =
    known !== null || share === null
      ? remaining(weight, passed)
      : drawn(times.works, sizeOf(task.definition), passed, share);
  return { ...of, work, weight, check, stage: now === undefined ? 'waiting' : 'working' };
};

const remaining = (expected: number, passed: number): number => Math.max(expected - passed, passed / 10);

/**
 * What is left of a work of unknown length: it takes as long as one of those that took longer than it has by now or, once it has outlasted one, longer than
 * all of them.
 */
const drawn = (works: readonly number[], size: number, passed: number, share: number): number => {
  const longer = works.filter((ms) => ms * size > passed);
  const isLong = longer.length < works.length;
  const ms = longer[Math.floor(share * (longer.length + (isLong ? 1 : 0)))];
  if (ms !== undefined) return ms * size - passed;
  return longerThanAll * Math.max(passed, size * (works.at(-1) ?? 0)) - passed;
};

/** A work that takes longer than all others takes so many times as long. */
const longerThanAll = 1.3;

/** Checks of commands as the scheduler runs them; other reviews take no slot. */
const resourcesOf = (state: SessionState): Resources => ({
  slots: Math.max(1, state.settings.concurrency.max_parallel_executors),
  checks:
    backendOf(state, 'Reviewer', null) === 'script'
      ? checksBeside(state)
      : state.settings.concurrency.max_parallel_reviewers,
  isShared: !isIsolated(state),
});
