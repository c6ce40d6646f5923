import { createInterface } from 'node:readline/promises';
import { commandText } from '../agents/command-text.ts';
import { createDisk } from '../base/disk.io.ts';
import { safe } from '../base/safe.ts';
import { discover } from '../discovery/discover.ts';
import { readWorkspace } from '../discovery/read-workspace.ts';
import { buildGraph } from '../tasks/graph.ts';
import type { Plan } from '../tasks/plan-file.ts';
import { type Cli, Exit, exitCodes, usage } from './cli.ts';

/** The plan that this repository itself offers, or `null`. */
export const findPlan = (cli: Cli): Plan | null => discover(readWorkspace(createDisk(), cli.cwd));

/** The same, where there has to be one. */
export const discoverPlan = (cli: Cli): Plan => {
  const plan = findPlan(cli);
  if (plan) return plan;
  throw usage(
    'this repository offers no checks that are known (package.json scripts, Makefile, Cargo, go.mod, pytest)',
    'write a plan with `ralph-tui init` and use `run --plan plan.yaml`',
    'nothing-found',
  );
};

/** Nothing that was only found is run unasked: it is shown, and a person or `--yes` agrees. */
export const confirmPlan = async (cli: Cli, plan: Plan, yes: boolean): Promise<boolean> => {
  if (yes) return true;
  if (!cli.stdin.isTTY)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: `this would run ${plan.tasks.length} commands that were found here, and nobody is there to agree`,
      mend: 'add --yes, or write them down with `ralph-tui init`',
    });
  cli.note(formatFound(plan));
  const lines = createInterface({ input: cli.stdin, output: cli.stderr });
  try {
    const answer = await lines.question('Run this? [y/N] ');
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
};

/** The graph as waves with the command of each task. */
const formatFound = (plan: Plan): string => {
  const { waves, blockersOf } = buildGraph(plan.tasks);
  const lines = waves.flatMap((members, index) => [
    `  wave ${index + 1}`,
    ...members.map((id) => {
      const task = plan.tasks.find((each) => each.id === id);
      const waits = blockersOf.get(id) ?? [];
      return `    ${safe(id)}  ${safe(task?.run.map(commandText).join(' && ') ?? '')}${waits.length > 0 ? `  ← ${waits.map(safe).join(', ')}` : ''}`;
    }),
  ]);
  return [`${safe(plan.goal)}:`, ...lines].join('\n');
};
