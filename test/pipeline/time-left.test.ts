import { expect, test } from 'vitest';
import { type TimeLeft, timeLeft, timeOfPlan } from '../../src/pipeline/scheduling/time-left.ts';
import { timeWords } from '../../src/words/left-words.ts';
import { type Shape, type SleepingTask, shapedGraph, shapes, sleepingGraph } from '../bench/task-graph.ts';
import { createPipelineRun, defineTask, type PipelineRun } from '../helpers/pipeline-run.ts';
import { asEarlier, type How, playGraph } from '../helpers/play-graph.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { sized } from '../helpers/test-form.ts';

const nowOf = (run: PipelineRun): number => Date.parse(run.state().at);

/** The time that was said to be left, at each point of a run, beside the time that was left. */
const said = (graph: readonly SleepingTask[], how: How) => {
  const points: { readonly at: number; readonly end: number; readonly left: TimeLeft }[] = [];
  const { end } = playGraph(graph, {
    ...how,
    look: (run, now) => {
      const left = timeLeft(run.state(), nowOf(run));
      if (left !== null) points.push({ at: now, end: now + left.ms, left });
    },
  });
  return { end, points };
};

test.each([
  ['shared', { isolation: 'shared', slots: 3, verify: false }],
  ['in worktrees with checks', { isolation: 'worktree', slots: 3, verify: true }],
] as const)('from the middle on the time left is right within 30 percent on average: %s', (_, how) => {
  const wrongs: number[] = [];
  for (let seed = 1; seed <= 25; seed += 1) {
    const { end, points } = said(sleepingGraph(seed, 40, 120_000), how);
    const late = points.filter(({ at }) => at > end * 0.5 && at < end * 0.9);
    expect(late.length, `seed ${seed}`).toBeGreaterThan(5);
    for (const point of late) wrongs.push((point.end - end) / (end - point.at));
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  // Durations that nobody knew before: what is left is ten tasks of very different lengths. It is neither said too early nor too late.
  expect(mean(wrongs.map(Math.abs))).toBeLessThan(0.3);
  expect(Math.abs(mean(wrongs))).toBeLessThan(0.15);
});

/** Milliseconds that the works of a session took in worktrees of 3,200 files: few take long. */
const recorded = [
  3916, 1926, 3434, 2231, 5893, 11748, 9316, 6261, 19554, 6276, 10389, 11752, 7395, 3767, 5258, 3226, 2522,
  8865, 5072, 4010, 11536, 3617, 4129, 6252, 4737, 1721, 12069, 3724, 5135, 6620, 4882, 5767, 4801, 19923,
  2784, 3629, 19662, 1260, 31318, 3186,
];

test.each([
  ['in worktrees with checks', { isolation: 'worktree', slots: 3, verify: true, checkMs: 5_000 }],
  ['in worktrees with short checks', { isolation: 'worktree', slots: 3, verify: true }],
  ['in worktrees with six slots', { isolation: 'worktree', slots: 6, verify: true, checkMs: 5_000 }],
  ['shared', { isolation: 'shared', slots: 3, verify: false }],
] as const)(
  'of works with recorded times, of which few take long, the end is not said too early on average: %s',
  (_, how) => {
    const wrongs: number[] = [];
    for (let seed = 1; seed <= 20; seed += 1) {
      const times = createSeededRandom(seed).shuffle(recorded);
      const graph = sleepingGraph(seed, recorded.length, 1).map((task, at) => ({
        ...task,
        ms: times[at] ?? 0,
      }));
      const { end, points } = said(graph, how);
      for (const { at, end: then } of points)
        if (at > end * 0.5 && at < end - 10_000) wrongs.push((then - end) / (end - at));
    }
    const mean = wrongs.reduce((sum, wrong) => sum + wrong, 0) / wrongs.length;
    expect(Math.abs(mean)).toBeLessThan(0.1);
  },
);

/** Of graphs of all shapes, each in its own surroundings. */
const anyGraph = (shape: Shape, seed: number) => {
  const hows: readonly How[] = [
    { isolation: 'shared', slots: 3, verify: false },
    { isolation: 'worktree', slots: 3, verify: true },
    { isolation: 'worktree', slots: 6, verify: true, checkMs: 60_000, checks: 2 },
    { isolation: 'worktree', slots: 3, verify: true, checkMs: 20_000, fails: (at) => at % 10 === 3 },
  ];
  const how = hows[(seed + shapes.indexOf(shape)) % hows.length];
  if (how === undefined) throw new Error('no surroundings');
  return said(shapedGraph(shape, seed, 30, 120_000), how);
};

test('from the middle on nine of ten ends lie in the range that is said, and a single time is said only where it is right within 30 percent', () => {
  let [moments, inside, single, right] = [0, 0, 0, 0];
  const widths: number[] = [];
  for (const shape of shapes)
    for (let seed = 1; seed <= sized({ short: 2, long: 16 }); seed += 1) {
      const { end, points } = anyGraph(shape, seed);
      for (const { at, left } of points) {
        if (at < end * 0.5 || at >= end) continue;
        const found = end - at;
        moments += 1;
        if (found >= left.leastMs && found <= left.mostMs) inside += 1;
        widths.push(left.mostMs / left.leastMs);
        if (!timeWords(left).startsWith('about')) continue;
        single += 1;
        if (Math.abs(left.ms - found) <= 0.3 * found) right += 1;
      }
    }
  expect(moments).toBeGreaterThan(200);
  expect(inside / moments).toBeGreaterThan(0.9);
  expect(right).toBeGreaterThanOrEqual(0.9 * single);
  expect(widths.toSorted((one, other) => one - other)[Math.floor(widths.length / 2)]).toBeLessThan(4.5);
});

const alike = (graph: readonly SleepingTask[]) => graph.map((task) => ({ ...task, ms: 3_000 }));

const inTrain = { isolation: 'worktree', slots: 3, verify: true, checkMs: 5_000 } as const;

test.each([
  ['tasks that are alike, shared', false, { isolation: 'shared', slots: 3, verify: false }],
  ['tasks that are alike, with longer checks', false, inTrain],
  ['tasks that are alike, eight slots, three checks', false, { ...inTrain, slots: 8, checks: 3 }],
  ['known tasks, shared, with checks', true, { ...inTrain, isolation: 'shared' }],
  ['known tasks, with longer checks', true, inTrain],
  ['known tasks, with short checks', true, { ...inTrain, checkMs: 500 }],
] as const)(
  'of tasks of seconds, the time left is right within 30 percent at each moment from the middle on: %s',
  (_, isKnown, how) => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const drawn = sleepingGraph(seed, 40, 3_000);
      const graph = isKnown ? drawn : alike(drawn);
      const { end, points } = said(graph, isKnown ? { ...how, earlier: asEarlier(graph) } : how);
      const late = points.filter(({ at }) => at > end * 0.5 && at < end * 0.95);
      expect(late.length, `seed ${seed}`).toBeGreaterThan(5);
      for (const point of late)
        expect(Math.abs(point.end - end) / (end - point.at), `seed ${seed} at ${point.at}`).toBeLessThan(0.3);
    }
  },
);

test('what is known from an earlier session is foreseen from the first moment', () => {
  const graph = sleepingGraph(3, 24, 120_000);
  const ends: number[] = [];
  let plan = 0;
  const { end } = playGraph(graph, {
    isolation: 'shared',
    slots: 3,
    verify: false,
    earlier: asEarlier(graph),
    look: (run, now) => {
      if (now === 0) plan = timeOfPlan(run.state())?.ms ?? 0;
      ends.push(now + (timeLeft(run.state(), nowOf(run))?.ms ?? 0));
    },
  });
  expect(ends.length).toBeGreaterThan(20);
  for (const each of ends) expect(Math.abs(each - end)).toBeLessThan(end * 0.02);
  expect(Math.abs(plan - end)).toBeLessThan(end * 0.02);
});

const plan = (earlier: 'known' | 'unknown') =>
  createPipelineRun({
    tickMs: 0,
    ...(earlier === 'known' ? { earlier: { tasks: {}, usual: { tasks: 4, ms: 60_000, cost: null } } } : {}),
    tasks: [
      defineTask('a', { files: ['a.txt'] }),
      defineTask('b', { files: ['b.txt'], blockedBy: ['a'] }),
      defineTask('c', { files: ['c.txt'] }),
    ],
    script: ({ mode }) => (mode === 'IMPLEMENT' ? null : undefined),
  })
    .start()
    .work();

test('nothing is said where nothing is known, and before anything has ended the usual time counts', () => {
  const unknown = plan('unknown');
  expect(timeLeft(unknown.state(), nowOf(unknown))).toBeNull();
  const known = plan('known');
  const left = timeLeft(known.state(), nowOf(known));
  expect(left?.task).toBe('a');
  // Two works in a row of about a minute each, which nobody knows.
  expect(Math.round((left?.ms ?? 0) / 60_000)).toBe(2);
  expect(left?.leastMs).toBeLessThan(90_000);
  expect(left?.mostMs).toBeGreaterThan(180_000);
  known.pass(30_000);
  expect(timeLeft(known.state(), nowOf(known) + 30_000)).toMatchObject({ task: 'a' });
});

test('nothing is said during a hold, and once the session has stopped', () => {
  const run = plan('known');
  run.tell({ type: 'hold.requested', signal: 's1', by: 'dana' });
  expect(timeLeft(run.state(), nowOf(run))).toBeNull();
  const stopped = plan('known');
  stopped.quit();
  expect(timeLeft(stopped.state(), nowOf(stopped))).toBeNull();
});
