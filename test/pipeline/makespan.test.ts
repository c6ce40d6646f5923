import { expect, test } from 'vitest';
import { boundOf, type SleepingTask, sleepingGraph } from '../bench/task-graph.ts';
import { reviewerOutcome } from '../helpers/outcomes.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

const verifyMs = 1_500;

interface How {
  readonly isolation: 'shared' | 'worktree';
  readonly slots: number;
  readonly verify: boolean;
  /** Tasks whose first check fails. */
  readonly fails?: (at: number) => boolean;
}

/**
 * When the graph ends if every task and every check takes exactly its time and all else takes none: what the scheduler alone costs. `npm run bench` measures
 * the same with the real program.
 */
const endOf = (graph: readonly SleepingTask[], { isolation, slots, verify, fails = () => false }: How) => {
  const durations = new Map(graph.map(({ id, ms }) => [id, ms]));
  const failing = new Set(graph.filter((_, at) => fails(at)).map(({ id }) => id));
  let now = 0;
  let answering = '';
  const run = createPipelineRun({
    tasks: graph.map(({ id, blockedBy }) =>
      defineTask(id, { files: [`${id}.txt`], blockedBy, verify: verify ? [{ cmd: 'check' }] : [] }),
    ),
    settings: (old) => ({
      ...old,
      isolation,
      changes: { at_end: 'keep' },
      knowledge: { ...old.knowledge, gate: 'never' },
      concurrency: { max_parallel_executors: slots, max_parallel_reviewers: slots, max_parallel_checks: 1 },
    }),
    script: ({ invocation, mode, task }) => {
      if (!takesTime.has(mode)) return undefined;
      if (answering !== invocation) return null;
      const isFailing = mode === 'TASK_REVIEW' && failing.delete(task?.id ?? '');
      const outcome = reviewerOutcome('Failed', 'check exited 1');
      return isFailing ? [{ type: 'invocation.ended', invocation, outcome }] : undefined;
    },
  }).start();
  const ends = new Map<string, number>();
  for (;;) {
    run.work();
    for (const [id, { mode, task }] of run.open) {
      const ms = mode === 'IMPLEMENT' ? (durations.get(task?.id ?? '') ?? 0) : verify ? verifyMs : 0;
      if (!ends.has(id)) ends.set(id, now + ms);
    }
    const [next] = [...run.open.keys()].toSorted(
      (one, other) => (ends.get(one) ?? 0) - (ends.get(other) ?? 0),
    );
    if (next === undefined) return { end: now, run };
    now = Math.max(now, ends.get(next) ?? 0);
    answering = next;
    run.answer(next);
  }
};

const takesTime: ReadonlySet<string> = new Set(['IMPLEMENT', 'TASK_REVIEW']);

/** How many times the bound graphs out of several seeds take, on average and at worst. No duration is known before. */
const ratios = (
  seeds: number,
  tasks: number,
  how: How,
): { readonly mean: number; readonly worst: number } => {
  const all = Array.from({ length: seeds }, (_, seed) => {
    const graph = sleepingGraph(seed + 1, tasks, 2_200);
    const { end, run } = endOf(graph, how);
    expect(run.end(), `seed ${seed + 1}`).toMatchObject({ exit_code: 0 });
    return end / boundOf(graph, how.slots, how.verify ? verifyMs : 0);
  });
  return { mean: all.reduce((sum, ratio) => sum + ratio, 0) / seeds, worst: Math.max(...all) };
};

test.each(['shared', 'worktree'] as const)(
  'without verify a graph in %s isolation ends little later than its longest chain or its work allows',
  (isolation) => {
    const { mean, worst } = ratios(25, 24, { isolation, slots: 3, verify: false });
    expect(mean).toBeLessThan(1.08);
    expect(worst).toBeLessThan(1.2);
  },
);

test('200 tasks in 8 slots keep all slots busy', () => {
  const { worst } = ratios(3, 200, { isolation: 'shared', slots: 8, verify: false });
  expect(worst).toBeLessThan(1.08);
});

test.each([
  ['verify', undefined, 1.15, 1.3],
  ['one in ten fails its verify once', (at: number) => at % 10 === 9, 1.35, 1.6],
] as const)('in worktrees with %s', (_, fails, mostMean, mostWorst) => {
  const how = { isolation: 'worktree', slots: 3, verify: true } as const;
  const { mean, worst } = ratios(25, 24, fails === undefined ? how : { ...how, fails });
  expect(mean).toBeLessThan(mostMean);
  expect(worst).toBeLessThan(mostWorst);
});
