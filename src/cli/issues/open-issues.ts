import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Holder } from '../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../issues/issue-index.ts';
import { type Liveness, withoutDeadLocks } from '../../issues/lock.ts';
import { openTracker } from '../../issues/trackers/index.io.ts';
import type { ProgramPorts } from '../../issues/trackers/program.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import { isLocalTracker, trackerNamed } from '../../issues/trackers/tracker-name.ts';
import { noteWritten } from '../../issues/trackers/written-files.ts';
import { loggedTracker } from '../../observability/debug/logged-tracker.ts';
import type { Settings } from '../../session/settings.ts';
import { type Cli, failure, usage, valueOrExit } from '../cli.ts';
import { openDebug } from '../session/debug/open-debug-log.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { writtenFiles } from '../state-directory.ts';
import { trustQuestion } from '../trust/trust-question.ts';
import { configSubject } from '../trust/trust-subjects.ts';
import { createWorld, type World } from '../world.ts';
import { issueWorkspace } from './issue-workspace.ts';
import { livenessOf } from './liveness.ts';

export interface IssueOptions {
  /** Instead of `flow.tracker`. */
  readonly tracker?: string;
  readonly json?: boolean;
}

/** A workspace's tracker with everything that its commands need. */
export interface OpenIssues {
  readonly tracker: Tracker;
  readonly ports: ProgramPorts;
  readonly settings: Settings;
  /** What is known of the session of a lock. */
  readonly liveness: (holder: Holder) => Liveness;
}

/** Opens the tracker that the options or the settings name. Throws a usage error for an unknown one. */
export const openIssues = (cli: Cli, options: IssueOptions): OpenIssues =>
  openIssuesIn(cli, createWorld(), cli.cwd, options);

/** The same for a folder of the workspace. */
export const openIssuesIn = (
  cli: Cli,
  world: World,
  folder: string,
  { tracker }: IssueOptions,
): OpenIssues => {
  const workspace = issueWorkspace(folder);
  const { settings, layers, origins } = loadConfiguration(cli, world, { workspace, attended: cli.hasPerson });
  const named = valueOrExit(trackerNamed(tracker ?? settings.flow.tracker));
  // Only the file that names the tracker is asked about: one's own configuration needs no trust.
  const isOfWorkspace = origins.get('flow.tracker')?.layer === 'workspace';
  const isForeign = tracker === undefined && isOfWorkspace && !isLocalTracker(named.name);
  const config = isForeign ? configSubject(layers) : null;
  if (config && trustQuestion(cli.env, world, workspace, [config]) !== null)
    throw usage(
      `${config.name} asks for the tracker ${named.name}, but is not trusted yet`,
      `add --tracker ${named.name}`,
      'not-trusted',
    );
  const { disk, clock, random, spawn } = world;
  const written = writtenFiles(cli.env);
  const wrote = (path: string): void => noteWritten({ disk, random }, written, path);
  const ports = { disk, clock, random, spawn, env: cli.env, workspace, wrote };
  const opened = openTracker(ports, named);
  const log = openDebug(cli, world, { workspace, settings, session: null, tell: cli.note });
  return {
    tracker: log === null ? opened : loggedTracker(opened, log, clock),
    ports,
    settings,
    liveness: (holder) => livenessOf(world, holder),
  };
};

/**
 * Reads all issues. A failed reading ends the program with exit 1; broken lines are named on stderr, and the rest counts. The lock of a dead session
 * counts as given back, which the next session does.
 */
export const readIssues = async (cli: Cli, { tracker, liveness }: OpenIssues): Promise<IssueIndex> => {
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const index = indexIssues(withoutDeadLocks(reading.issues, liveness));
  for (const problem of [...reading.problems, ...index.problems])
    cli.note(`ralph-tui: ${safe(formatFault(problem))}`);
  return index;
};
