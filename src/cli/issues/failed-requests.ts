import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import { createGhPullRequests } from '../../issues/pull-requests/gh-pull-requests.ts';
import { objectionTo } from '../../issues/pull-requests/pull-requests.ts';
import { foldJournal } from '../../observability/state-cache.ts';
import { addressOf } from '../../pipeline/modes/flow/pull-request.ts';
import { unwatched } from '../../pipeline/modes/flow/watch-again.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import type { World } from '../world.ts';
import { findUnwatched } from './find-flow.ts';
import { openIssues } from './open-issues.ts';

/**
 * Refuses to call an issue finished whose pull request cannot be merged: a check failed, or a member asks for changes or commented. Looks once at each pull request that the
 * last session for it opened. One that cannot be looked at says nothing.
 */
export const refuseFailedRequests = async (
  cli: Cli,
  world: World,
  {
    workspace,
    issue,
    tracker,
  }: { readonly workspace: string; readonly issue: string; readonly tracker?: string },
): Promise<void> => {
  const found = findUnwatched(world, workspace, issue);
  if (found === null) return;
  const { ports } = openIssues({ ...cli, cwd: workspace }, tracker === undefined ? {} : { tracker });
  const requests = createGhPullRequests(ports);
  const { state } = foldJournal(world.disk, found.paths);
  for (const { listed, work } of unwatched(state)) {
    const url = addressOf(work);
    const looked = await requests.look(url, new Set(state.flow?.answered.get(listed.id)));
    if (!looked.ok || looked.value.state !== 'open') continue;
    const objection = objectionTo(looked.value);
    if (objection === null) continue;
    const [why = ''] = objection.split('\n');
    throw new Exit(exitCodes.waits, {
      code: 'checks-failed',
      what: `${safe(listed.issues.join(', '))}: in review, but ${safe(url)} is refused: "${safe(why)}"`,
      hint: `send it back to work with \`${printedCommand('ralph-tui', 'run', '--issue', issue, '--watch')}\``,
    });
  }
};
