import { hostname } from 'node:os';
import type { FlowPort } from '../../engine/flow/flow-port.ts';
import { readOwnComments, rememberComment } from '../../issues/documents/own-comments.ts';
import type { Holder } from '../../issues/issue.ts';
import { createGhPullRequests } from '../../issues/pull-requests/gh-pull-requests.ts';
import { taskRoles } from '../../issues/task-list/task-phase.ts';
import { openTracker } from '../../issues/trackers/index.io.ts';
import { trackerNamed } from '../../issues/trackers/tracker-name.ts';
import { noteWritten } from '../../issues/trackers/written-files.ts';
import type { DebugLog } from '../../observability/debug/debug-log.ts';
import { loggedTracker } from '../../observability/debug/logged-tracker.ts';
import type { FlowStart } from '../../pipeline/modes/flow/flow-state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, valueOrExit } from '../cli.ts';
import { ownCommentsFile } from '../issues/flow-context.ts';
import { livenessOf } from '../issues/liveness.ts';
import { writtenFiles } from '../state-directory.ts';
import { phaseSkill } from '../trust/own-skills.ts';
import { usableWorker } from '../trust/own-workers.ts';
import { withSeenHooks } from '../trust/seen-hooks.ts';
import type { World } from '../world.ts';

/** The tracker of a flow, what is ours in it, and the skills of its phases. */
export const wireFlow = (
  cli: Cli,
  world: World,
  paths: SessionPaths,
  { tracker, fill }: Pick<FlowStart, 'tracker' | 'fill'>,
  log: DebugLog | null,
): FlowPort => {
  const { disk, clock, random, spawn } = world;
  const { workspace } = paths;
  const written = writtenFiles(cli.env);
  const wrote = (path: string): void => noteWritten({ disk, random }, written, path);
  const ports = { disk, clock, random, spawn, env: cli.env, workspace, wrote };
  const own = ownCommentsFile(cli.env);
  // Read once: what an agent makes of the files meanwhile counts for nothing, and a broken one stops the start.
  const workers = new Map(
    fill === 'team'
      ? taskRoles.map((role) => [role, usableWorker(cli.env, world, workspace, role)] as const)
      : [],
  );
  const opened = openTracker(ports, valueOrExit(trackerNamed(tracker)));
  return {
    tracker: log === null ? opened : loggedTracker(opened, log, clock),
    liveness: (holder) => livenessOf(world, holder),
    own: () => readOwnComments(ports, own, opened.name),
    remember: (comment) => rememberComment(ports, own, opened.name, comment),
    // Only who asked for GitHub gets branches pushed there.
    pullRequests:
      opened.name === 'gh' ? withSeenHooks(cli.env, world, workspace, createGhPullRequests(ports)) : null,
    instructions: (phase) => phaseSkill(cli.env, world, workspace, phase),
    worker: (role) => {
      const found = workers.get(role);
      if (found === undefined) throw new Error(`the definition of the worker ${role} was not read`);
      return found;
    },
  };
};

/** The holder of the locks of a session. */
export const holderOf = ({ workspace, session }: SessionPaths): Holder => ({
  machine: hostname(),
  workspace,
  session,
});
