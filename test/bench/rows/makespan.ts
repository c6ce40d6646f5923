import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../../helpers/program.ts';
import { inWorkspace } from '../live-session.ts';
import { atMost, type Row, rowsOf } from '../measure.ts';
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

/** Checks that take no slot, on a machine of two cores. */
const checksBeside = 1;

/**
 * From the start of the program to its end, for whole graphs of tasks that sleep, beside the time that no order of them can beat: a row for each graph, as soon
 * as it has ended. Their plan says how long each takes, as an earlier session would; `test/pipeline/makespan.test.ts` also plays graphs of which nothing is known.
 */
export async function* makespan(): AsyncGenerator<Row> {
  for (const each of cases)
    for (const seed of each.seeds) {
      const name = `makespan, ${each.tasks} tasks in ${each.slots} slots, ${each.name}, graph ${seed}`;
      yield* await rowsOf(name, async () => [await measured(each, seed, name)]);
    }
}

const measured = async (each: Case, seed: number, name: string): Promise<Row> => {
  const graph = sleepingGraph(seed, each.tasks, each.medianMs);
  const checks = each.isolation === 'shared' ? 0 : checksBeside;
  const bound = boundOf(graph, { slots: each.slots, checks, checkMs: each.verifyMs });
  const ms = await timeOf(each, graph, bound);
  return {
    name,
    value: ms,
    unit: 'ms',
    base: { name: 'longest chain, or work and checks ÷ their slots', value: bound },
    ...atMost(each.most, ms, bound),
  };
};

/** So many times its bound a graph may take: then it is ended, and the next one begins. */
const mostTimes = 3;

const timeOf = (each: Case, graph: readonly SleepingTask[], bound: number): Promise<number> =>
  inWorkspace(async (workspace) => {
    writeFileSync(join(workspace, 'plan.yaml'), planOf(each, graph, join(workspace, '.git', 'bench')));
    const start = performance.now();
    const program = startProgram(['run', '--plan', 'plan.yaml', '--yes', '--json'], { cwd: workspace });
    const late = setTimeout(() => program.kill('SIGTERM'), mostTimes * bound);
    const { code, stderr } = await program.done;
    clearTimeout(late);
    const took = performance.now() - start;
    if (took > mostTimes * bound) throw new Error(`not at its end after ${mostTimes} times its bound`);
    if (code !== 0) throw new Error(`the session ended with ${code}: ${stderr}`);
    return took;
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
  return `goal: measure\nsettings: {planning: {max_cycles: 0}, isolation: ${isolation}, concurrency: {max_parallel_executors: ${slots}, max_parallel_checks: ${checksBeside}}}\ntasks:\n${list.map((line) => `  - ${line}\n`).join('')}`;
};
