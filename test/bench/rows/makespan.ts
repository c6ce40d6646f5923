import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../helpers/program.ts';
import { inWorkspace } from '../live-session.ts';
import { atMost, type Row, rowsOf, spreadOf } from '../measure.ts';
import { boundOf, type SleepingTask, sleepingGraph } from '../task-graph.ts';

interface Case {
  readonly name: string;
  readonly isolation: 'shared' | 'worktree';
  readonly tasks: number;
  readonly slots: number;
  /** Milliseconds of each task's `verify`; 0 for none. */
  readonly verifyMs: number;
  /** One task in so many fails its first `verify`. */
  readonly failing: number | null;
  readonly seeds: readonly number[];
  /** Of the tasks; long beside what a task costs, so that a busy machine disturbs little. */
  readonly medianMs: number;
  readonly most: number;
}

const usual = {
  isolation: 'worktree',
  tasks: 24,
  slots: 3,
  verifyMs: 0,
  failing: null,
  seeds: [1, 2],
  medianMs: 4_000,
} as const;

const cases: readonly Case[] = [
  { ...usual, name: 'shared', isolation: 'shared', most: 1.05 },
  { ...usual, name: 'worktrees', most: 1.08 },
  { ...usual, name: 'worktrees, verify', verifyMs: 2_000, most: 1.15 },
  { ...usual, name: 'worktrees, verify, one in ten fails once', verifyMs: 2_000, failing: 10, most: 1.35 },
  {
    ...usual,
    name: 'shared, 8 slots',
    isolation: 'shared',
    tasks: 200,
    slots: 8,
    seeds: [4],
    medianMs: 2_200,
    most: 1.1,
  },
];

/**
 * From the start of the program to its end, for whole graphs of tasks that sleep, beside the time that no order of them can beat. Their plan says how long
 * each takes, as an earlier session would; `test/pipeline/makespan.test.ts` also plays graphs of which nothing is known. The worst graph counts.
 */
export const makespan = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const each of cases) rows.push(...(await rowsOf(nameOf(each), () => measured(each))));
  return rows;
};

const nameOf = ({ name, tasks, slots }: Case): string =>
  `makespan, ${tasks} tasks in ${slots} slots, ${name}`;

const measured = async (each: Case): Promise<readonly Row[]> => {
  const { tasks, slots, verifyMs, seeds, medianMs, most } = each;
  const runs: { readonly ms: number; readonly bound: number }[] = [];
  for (const seed of seeds) {
    const graph = sleepingGraph(seed, tasks, medianMs);
    runs.push({ ms: await timeOf(each, graph), bound: boundOf(graph, slots, verifyMs) });
  }
  const worst = runs.reduce((one, other) => (other.ms / other.bound > one.ms / one.bound ? other : one));
  return [
    {
      name: nameOf(each),
      value: worst.ms,
      unit: 'ms',
      base: { name: 'longest chain, or work ÷ slots', value: worst.bound },
      spread: spreadOf(runs.map(({ ms }) => ms)),
      ...atMost(most, worst.ms, worst.bound),
    },
  ];
};

const timeOf = (each: Case, graph: readonly SleepingTask[]): Promise<number> =>
  inWorkspace(async (workspace) => {
    writeFileSync(join(workspace, 'plan.yaml'), planOf(each, graph, join(workspace, '.git', 'bench')));
    const start = performance.now();
    const result = await runProgram(['run', '--plan', 'plan.yaml', '--yes', '--json'], { cwd: workspace });
    if (result.code !== 0) throw new Error(`the session ended with ${result.code}: ${result.stderr}`);
    return performance.now() - start;
  }, 10);

/** `marks`: which tasks have failed their `verify` already. */
const planOf = (
  { isolation, slots, verifyMs, failing }: Case,
  graph: readonly SleepingTask[],
  marks: string,
): string => {
  const list = graph.map(({ id, ms, blockedBy }, at) => {
    const fails = failing !== null && at % failing === failing - 1;
    const checks = [
      `sleep ${verifyMs / 1_000}`,
      ...(fails ? [`mkdir -p ${marks} && ! mkdir ${marks}/${id} 2>/dev/null`] : []),
    ];
    return JSON.stringify({
      id,
      title: `Task ${id}`,
      files: [`${id}.txt`],
      blockedBy,
      metadata: { estimate: `${ms}ms` },
      run: [`sleep ${ms / 1_000}`, `touch ${id}.txt`],
      ...(verifyMs === 0 ? {} : { verify: checks }),
    });
  });
  return `goal: measure\nsettings: {planning: {max_cycles: 0}, isolation: ${isolation}, concurrency: {max_parallel_executors: ${slots}}}\ntasks:\n${list.map((line) => `  - ${line}\n`).join('')}`;
};
