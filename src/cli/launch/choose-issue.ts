import { safe } from '../../base/safe.ts';
import { type ReadyGroup, readyGroups } from '../../issues/ready-groups.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { issueWorkspace } from '../issues/issue-workspace.ts';
import { openIssues, readIssues } from '../issues/open-issues.ts';
import type { World } from '../world.ts';

/** Groups that an error names. */
const mostNamed = 5;

/**
 * The issue of a run that names none: a person chooses one of the ready groups on the screen. `null` when the person left. Without a person it is a
 * usage error (exit 2) that names the groups; without a ready group the program ends with 3.
 */
export const chooseIssue = async (
  cli: Cli,
  world: World,
  options: { readonly tracker?: string; readonly mode?: string },
  mayAsk: boolean,
): Promise<string | null> => {
  const groups = readyGroups(await readIssues(cli, openIssues(cli, options)));
  if (groups.length === 0)
    throw new Exit(exitCodes.waits, {
      code: 'nothing-ready',
      what: 'no issues are ready',
      hint: '`ralph-tui issues` shows what each one waits for; `ralph-tui issues new TITLE` creates one',
    });
  if (mayAsk) {
    const { askReadyGroup } = await import('../screen/ask-issue.ts');
    return askReadyGroup(cli, world, issueWorkspace(cli.cwd), groups);
  }
  throw usage(
    `--mode ${options.mode ?? 'hero'} needs an issue`,
    `add --issue ID. Ready: ${groups.slice(0, mostNamed).map(groupWords).join('; ')}${groups.length > mostNamed ? '; `ralph-tui issues ready` lists them all' : ''}`,
    'no-issue',
  );
};

const groupWords = ({ issue, more }: ReadyGroup): string =>
  safe(`${issue.id} ${issue.title}${more === 0 ? '' : ` (and ${more} more in its group)`}`);
