import { createDisk } from '../../base/disk.io.ts';
import type { Disk } from '../../base/disk.ts';
import { findTyped, isProgramThere } from '../../base/process/find-program.ts';
import { list } from '../../base/sentence.ts';
import { discover } from '../../discovery/checks/discover.ts';
import { readWorkspace } from '../../discovery/checks/read-workspace.ts';
import { missingTools, toolsOf, withoutTools } from '../../discovery/checks/tools.ts';
import { formatPlan, type Plan } from '../../tasks/plan-file.ts';
import { type Cli, usage } from '../cli.ts';
import { checksSubject, type Subject } from './trust-subjects.ts';

/** The plan made of the repository's own checks, or `null` without any. */
export const findPlan = (cli: Cli): Plan | null => discover(readWorkspace(createDisk(), cli.cwd));

/** A plan made of the repository's own checks, ready for a start. */
interface DiscoveredChecks {
  /** For error messages. */
  readonly file: string;
  readonly text: string;
  readonly source: 'repository';
  /** The files that define the commands. These are trusted, not the plan made of them. */
  readonly subject: Subject;
  /** Checks left out because their tool is not installed, each as a sentence. */
  readonly leftOut: readonly string[];
}

/** Makes the plan of the repository's own checks. Throws when it has none, or when no tool for them is installed. */
export const discoverChecks = (disk: Disk, workspace: string, path: string | undefined): DiscoveredChecks => {
  const facts = readWorkspace(disk, workspace);
  const found = discover(facts);
  if (found === null)
    throw usage(
      'this repository has no known checks (package.json scripts, Makefile, Cargo, go.mod, pytest)',
      'write a plan with `ralph-tui init --plan` and use `run --plan plan.yaml`',
      'nothing-found',
    );
  const missing = missingTools(found, (tool) => isInstalled(disk, workspace, path, tool));
  const plan = withoutTools(found, missing);
  if (plan.tasks.length === 0)
    throw usage(
      `${list(missing, 5)} ${missing.length === 1 ? 'is' : 'are'} not installed, but the checks of this repository need ${missing.length === 1 ? 'it' : 'them'}`,
      `install ${list(missing, 5)}, or write a plan with \`ralph-tui init --plan\``,
      'tool-missing',
    );
  const text = formatPlan(plan);
  return {
    file: 'the discovered plan',
    text,
    source: 'repository',
    subject: checksSubject(facts, plan, text),
    leftOut: found.tasks
      .filter(({ id }) => !plan.tasks.some((task) => task.id === id))
      .map((task) => `${task.id} is skipped: ${toolsOf(task).join(', ')} is not installed`),
  };
};

/** Missing tools of this repository's checks; `null` when it has no checks. */
export const missingCheckTools = (
  disk: Disk,
  workspace: string,
  path: string | undefined,
): readonly string[] | null => {
  const found = discover(readWorkspace(disk, workspace));
  return found && missingTools(found, (tool) => isInstalled(disk, workspace, path, tool));
};

const isInstalled = (disk: Disk, workspace: string, path: string | undefined, tool: string): boolean =>
  findTyped(tool, workspace, path, isProgramThere(disk)) !== null;
