import { createDisk } from '../base/disk.io.ts';
import type { Disk } from '../base/disk.ts';
import { discover } from '../discovery/discover.ts';
import { readWorkspace } from '../discovery/read-workspace.ts';
import { formatPlan, type Plan } from '../tasks/plan-file.ts';
import { type Cli, usage } from './cli.ts';
import type { PlanStart } from './start-plan.ts';
import { checksSubject } from './trust-subjects.ts';

/** The plan that this repository itself offers, or `null`. */
export const findPlan = (cli: Cli): Plan | null => discover(readWorkspace(createDisk(), cli.cwd));

/** What it takes to start the repository's own checks, where there have to be some. */
export const discoverChecks = (
  disk: Disk,
  workspace: string,
): Required<Pick<PlanStart, 'file' | 'text' | 'subject'>> & { readonly source: 'repository' } => {
  const facts = readWorkspace(disk, workspace);
  const plan = discover(facts);
  if (plan === null)
    throw usage(
      'this repository offers no checks that are known (package.json scripts, Makefile, Cargo, go.mod, pytest)',
      'write a plan with `ralph-tui init` and use `run --plan plan.yaml`',
      'nothing-found',
    );
  const text = formatPlan(plan);
  return {
    file: 'the discovered plan',
    text,
    source: 'repository',
    subject: checksSubject(facts, plan, text),
  };
};
