import { runProgram } from '../../helpers/program.ts';
import { git } from '../../helpers/repository.ts';
import { writeFlow } from '../flow-workspace.ts';
import { inWorkspace } from '../live-session.ts';
import { median, type Row, spreadOf } from '../measure.ts';

const rounds = 3;
const fewIssues = 2;
const manyIssues = 8;
/** Research, plan, review, implementation and pull request of an issue in a stream of its own. */
const tasksOfIssue = 5;

type Way = 'waves' | 'hero' | 'team';

/** What a task costs beside the work of an agent that answers at once: of a flow, by fresh agents and by a team, beside one of a plan in waves. */
export const flowOverhead = async (): Promise<readonly Row[]> => {
  const samples: Record<Way, number[]> = { waves: [], hero: [], team: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const way of ['waves', 'hero', 'team'] as const) samples[way].push(await perTask(way));
  const base = median(samples.waves);
  return (['hero', 'team'] as const).map((way): Row => {
    const ours = median(samples[way]);
    const most = way === 'hero' ? 1.2 : 1.3;
    return {
      name: `a task of a flow, ${way}`,
      value: ours,
      unit: 'ms',
      base: { name: 'a task in waves, in worktrees', value: base },
      spread: spreadOf(samples[way]),
      target: `≤ ${most}×`,
      ok: ours <= most * base,
    };
  });
};

/** Milliseconds that one more task costs. */
const perTask = async (way: Way): Promise<number> => {
  const few = await session(way, fewIssues);
  return ((await session(way, manyIssues)) - few) / ((manyIssues - fewIssues) * tasksOfIssue);
};

/** One at a time: a team has fewer places for some phases, and that is no overhead. Implementations are verified, and as many tasks of the plan. */
const configuration = `review: agent
concurrency: {max_parallel_executors: 1, max_parallel_reviewers: 1}
flow: {plan_review: auto, phases: all}
loop: {verify: ["true"]}
`;
const verified = (at: number): string => (at % tasksOfIssue === 0 ? ', verify: ["true"]' : '');

/** Milliseconds of a whole headless session over so many issues, or over a plan with as many tasks as they have. */
const session = (way: Way, issues: number): Promise<number> =>
  inWorkspace(async (workspace) => {
    const write = writeFlow(workspace, {
      configuration,
      issues: Array.from({ length: issues }, (_, at) => String(at + 1)),
    });
    const tasks = Array.from(
      { length: issues * tasksOfIssue },
      (_, at) => `  - {id: t-${at}, title: Task ${at}, files: [f${at}.txt]${verified(at)}}`,
    );
    write('plan.yaml', `goal: measure\ntasks:\n${tasks.join('\n')}\n`);
    git(workspace, 'add', 'tools', 'plan.yaml');
    git(workspace, 'commit', '-q', '-m', 'agent');
    const what = way === 'waves' ? ['--plan', 'plan.yaml'] : ['--issue', '100', '--mode', way];
    const start = performance.now();
    const { code, stderr, stdout } = await runProgram(
      ['run', ...what, '--yes', '--json', '--permissions', 'edits'],
      { cwd: workspace },
    );
    if (code !== 0) throw new Error(`${way} ended with ${code}\n${stderr}\n${stdout.slice(-2_000)}`);
    return performance.now() - start;
  }, 10);
