import type { Earlier } from '../../src/pipeline/scheduling/task-times.ts';
import type { Room, SleepingTask } from '../bench/task-graph.ts';
import { reviewerOutcome } from './outcomes.ts';
import { createPipelineRun, defineTask, type PipelineRun } from './pipeline-run.ts';

/** Milliseconds of each check. */
const verifyMs = 1_500;

export interface How {
  readonly isolation: 'shared' | 'worktree';
  readonly slots: number;
  readonly verify: boolean;
  /** Milliseconds of each check, where it is not the usual time. */
  readonly checkMs?: number;
  /** Checks that take no slot. */
  readonly checks?: number;
  /** Tasks whose first check fails. */
  readonly fails?: (at: number) => boolean;
  readonly earlier?: Earlier;
  /** Sees the run each time before an agent or a check ends, at `now` milliseconds. */
  readonly look?: (run: PipelineRun, now: number) => void;
}

/**
 * When the graph ends if every task and every check takes exactly its time and all else takes none: what the scheduler alone costs. `npm run bench` measures
 * the same with the real program.
 */
export const playGraph = (
  graph: readonly SleepingTask[],
  { isolation, slots, verify, checkMs = verifyMs, checks = 1, fails = () => false, earlier, look }: How,
): { readonly end: number; readonly run: PipelineRun } => {
  const durations = new Map(graph.map(({ id, ms }) => [id, ms]));
  const failing = new Set(graph.filter((_, at) => fails(at)).map(({ id }) => id));
  let now = 0;
  let answering = '';
  const run = createPipelineRun({
    tickMs: 0,
    ...(earlier === undefined ? {} : { earlier }),
    tasks: graph.map(({ id, blockedBy }) =>
      defineTask(id, { files: [`${id}.txt`], blockedBy, verify: verify ? [{ cmd: 'check' }] : [] }),
    ),
    settings: (old) => ({
      ...old,
      isolation,
      changes: { at_end: 'keep' },
      knowledge: { ...old.knowledge, gate: 'never' },
      concurrency: {
        max_parallel_executors: slots,
        max_parallel_reviewers: slots,
        max_parallel_checks: checks,
      },
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
      const ms = mode === 'IMPLEMENT' ? (durations.get(task?.id ?? '') ?? 0) : verify ? checkMs : 0;
      if (!ends.has(id)) ends.set(id, now + ms);
    }
    const [next] = [...run.open.keys()].toSorted(
      (one, other) => (ends.get(one) ?? 0) - (ends.get(other) ?? 0),
    );
    if (next === undefined) return { end: now, run };
    look?.(run, now);
    const passed = Math.max(0, (ends.get(next) ?? 0) - now);
    run.pass(passed);
    now += passed;
    answering = next;
    run.answer(next);
  }
};

const takesTime: ReadonlySet<string> = new Set(['IMPLEMENT', 'TASK_REVIEW']);

/** What its tasks run in. */
export const roomOf = ({ isolation, slots, verify, checkMs = verifyMs, checks = 1 }: How): Room => ({
  slots,
  checks: isolation === 'shared' ? 0 : checks,
  checkMs: verify ? checkMs : 0,
});

/** The graph as an earlier session ran it. */
export const asEarlier = (graph: readonly SleepingTask[]): Earlier => ({
  tasks: Object.fromEntries(graph.map(({ id, ms }) => [id, { title: defineTask(id).title, ms }])),
  usual: null,
});
