import { memoiseLast } from '../../base/memoise.ts';
import type { TaskId } from '../../tasks/task.ts';
import { backendOf } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';
import { graphOf, standingOf } from '../waves.ts';
import {
  beliefsOf,
  drawnTimes,
  type Foretold,
  foretoldOf,
  mean,
  passedOf,
  type Times,
  usualTimes,
} from './beliefs.ts';
import { earlierMs, sizeOf } from './known-times.ts';
import { createPlan, type Planned, type Resources, type Took } from './plan-ahead.ts';
import { checksBeside, isLookedAt } from './slots.ts';
import { timeAt } from './spread.ts';

/** When the work on all tasks ends, as far as it is known. */
export interface TimeLeft {
  /** As likely too long as too short. */
  readonly ms: number;
  /** In nine of ten cases the work ends between these. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** The task at work, or next, that everything waits for longest; `null` where none stands out. */
  readonly task: TaskId | null;
}

/** The work that is left, from what is known of the times of tasks; `null` where too little is known, nothing is left, or the session stands. */
export const timeLeft = (state: SessionState, nowMs: number): TimeLeft | null => {
  if (!state.running || state.hold !== null || state.waitingSince !== null || state.mode !== 'waves')
    return null;
  const found = foreseen(state.tasks, { state, at: nowMs });
  if (found === null || found.left.task === null) return null;
  // Seconds have passed since; what was to end by now ends soon.
  const since = nowMs - found.at;
  const { ms, leastMs, mostMs } = found.left;
  const after = (each: number): number => Math.max(each / 10, each - since);
  return { ms: after(ms), leastMs: after(leastMs), mostMs: after(mostMs), task: found.left.task };
};

/** How long the tasks of a plan take in all; `null` where too little is known. */
export const timeOfPlan = (state: SessionState): TimeLeft | null =>
  foreseen(state.tasks, { state, at: 0 })?.left ?? null;

/** What changes with time alone is looked at again after so long. */
const againAfterMs = 5_000;

interface Foreseen {
  readonly at: number;
  readonly left: TimeLeft;
}

const foreseen = memoiseLast(
  (one: Look, other: Look) =>
    other.at >= one.at &&
    other.at < one.at + againAfterMs &&
    one.state.invocations === other.state.invocations &&
    one.state.settings === other.state.settings &&
    one.state.earlier === other.state.earlier,
  (_tasks: SessionState['tasks'], look: Look): Foreseen | null => {
    const beliefs = beliefsOf(look.state, look.at);
    if (beliefs === null) return null;
    const left = tasksLeft(look);
    const usual = usualTimes(beliefs);
    const of = new Map(left.map((each) => [planned(look, usual, each), each]));
    const play = createPlan([...of.keys()], resourcesOf(look.state));
    const ahead = (times: Times, sharesOf: SharesOf) =>
      play((each) => took(look, times, of.get(each), sharesOf), look.at);
    const { task } = ahead(usual, () => usualShares);
    const plays = Math.max(
      leastPlays,
      Math.min(mostPlays, Math.floor(mostPlayed / Math.max(1, left.length))),
    );
    const logs = Array.from({ length: plays }, (_, at) => {
      const sharesOf = sharesIn(at + 1);
      // The shares that all tasks have in common go through each part of the possible ones once.
      const [, ofCheck, deviation] = sharesOf(0);
      const { endMs } = ahead(
        drawnTimes(beliefs, { mean: (at + 0.5) / plays, ofCheck, deviation }),
        sharesOf,
      );
      return Math.log(Math.max(1, endMs - look.at));
    });
    const middle = mean(logs);
    const apart = Math.sqrt(mean(logs.map((log) => (log - middle) ** 2)) * (plays / (plays - 1)));
    const leftAt = (deviations: number): number => Math.exp(middle + deviations * apart);
    return {
      at: look.at,
      left: { ms: leftAt(0), leastMs: leftAt(-around), mostMs: leftAt(around), task },
    };
  },
  2,
);

/**
 * Nine of ten ends lie so many deviations around the middle: of graphs of nine shapes in several surroundings (test/pipeline/time-left.test.ts). It is more than
 * the 1.645 of a normal distribution, because the moments of one session miss together.
 */
const around = 1.9;

/** So many times the rest of the graph is played with other times. */
const mostPlays = 32;
const leastPlays = 8;

/** To play more would take the screen's time. */
const mostPlayed = 1_000;

interface Look {
  readonly state: SessionState;
  readonly at: number;
}

/** Where the times of a task lie among those that are possible, each from 0 to 1: of work, check and whether its first attempt fails. */
type Shares = readonly [number, number, number];

type SharesOf = (position: number) => Shares;

const usualShares: Shares = [0.5, 0.5, 1];

/** The same at each look, so that the words change only with the events. */
const sharesIn =
  (play: number): SharesOf =>
  (position) => [scattered(position, play, 1), scattered(position, play, 2), scattered(position, play, 3)];

/** A number from 0 to 1 that these three determine and nothing else explains (the last step of MurmurHash3). */
const scattered = (position: number, play: number, of: number): number => {
  let hash = Math.imul(position, 0x9e3779b1) ^ Math.imul(play, 0x85ebca77) ^ Math.imul(of, 0xc2b2ae3d);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

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
    const passed = now === undefined ? 0 : passedOf(now, at);
    return [{ task, position, blockers: blockersOf.get(id) ?? [], now, passed }];
  });
};

/** The task as the scheduler sees it. */
const planned = ({ state }: Look, times: Times, { task, blockers, now }: Left): Planned => {
  const of = {
    task: task.definition,
    blockers,
    check: isLookedAt(state, task) ? Math.exp(times.check.mean) : 0,
  };
  if (task.status === 'review') return { ...of, work: 0, stage: now === undefined ? 'worked' : 'checking' };
  const work = earlierMs(state, task.definition) ?? sizeOf(task.definition) * Math.exp(times.size.mean);
  return { ...of, work, stage: now === undefined ? 'waiting' : 'working' };
};

/** What is left of the task where its shares of the possible times are these. Times that it has outlasted by now are no longer possible. */
const took = ({ state }: Look, times: Times, left: Left | undefined, sharesOf: SharesOf): Took => {
  if (left === undefined) return { work: 0, check: 0 };
  const { task, now, passed, position } = left;
  const [ofWork, ofCheck, ofFailing] = sharesOf(position + 1);
  // An attempt of this session says most.
  const { by, ms }: Foretold =
    task.workedMs === null ? foretoldOf(state, task) : { by: 'earlier', ms: task.workedMs };
  const workAfter = (gone: number): number => timeAt(times[by], ofWork, gone / ms) * ms - gone;
  const checkAfter = (gone: number): number =>
    isLookedAt(state, task) ? timeAt(times.check, ofCheck, gone) - gone : 0;
  const again = ofFailing < times.failing ? workAfter(0) + checkAfter(0) : 0;
  if (task.status === 'review') {
    const isVerified = task.review === 'verified' || task.review === 'landed';
    return { work: 0, check: isVerified ? 0 : checkAfter(now === undefined ? 0 : passed) + again };
  }
  return { work: workAfter(passed) + again, check: checkAfter(0) };
};

/** Checks of commands as the scheduler runs them; other reviews take no slot. */
const resourcesOf = (state: SessionState): Resources => ({
  slots: Math.max(1, state.settings.concurrency.max_parallel_executors),
  checks:
    backendOf(state, 'Reviewer', null) === 'script'
      ? checksBeside(state)
      : state.settings.concurrency.max_parallel_reviewers,
  isShared: !isIsolated(state),
});
