import { hostname } from 'node:os';
import { safe } from '../../base/safe.ts';
import type { Holder, Issue, IssueId, IssueLock } from '../../issues/issue.ts';
import { indexIssues } from '../../issues/issue-index.ts';
import { lockText } from '../../issues/lock.ts';
import { pendingRollUps } from '../../issues/roll-up.ts';
import { issueStateSchema, stateNamed } from '../../issues/state.ts';
import { isOver } from '../../issues/task-list/over.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import { checkMove } from '../../issues/transitions.ts';
import { signWords, sinceLastSign } from '../../session/heartbeat.ts';
import { sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import { type Cli, failure, usage, valueOrExit } from '../cli.ts';
import { hostWords } from '../session/host-life.ts';
import { hostOf } from '../session/open-session.ts';
import { isStartedByAgent } from '../started-by-agent.ts';
import type { World } from '../world.ts';

interface MovedIssues {
  readonly issues: readonly Issue[];
  /** The session that a program runs, and that ends its work on the issue because of that. */
  readonly stops: string | null;
}

/**
 * Moves an issue for a person, who alone leaves Human Needed and cancels. Refuses inside a session, whose agents must not wave their own work through,
 * and while a session holds the issue, unless its lock is to be broken or the move ends its work. Returns the issue and the parents that moved with it.
 */
export const moveIssue = async (
  cli: Cli,
  world: World,
  tracker: Tracker,
  id: string,
  name: string,
  breaksLock: boolean,
): Promise<MovedIssues> => {
  const state = stateNamed(name);
  if (state === null)
    throw usage(`unknown state "${name}"`, `use one of ${issueStateSchema.options.join(', ')}`);
  if (isStartedByAgent(cli.env))
    throw usage(
      'only a person can move issues, but this command was started by an agent or by a command running in a session',
      'move the issue on the screen, or in your own terminal',
    );
  const issue = valueOrExit(await tracker.show(id));
  // A living session reads it before its work is merged, and at each poll.
  if (issue.lock !== undefined && !breaksLock && !isOver(state))
    throw usage(
      `issue ${issue.id} is locked by ${lockText(issue.lock)} (${lifeWords(world, issue.lock)})`,
      'stop that session, or add --break-lock',
      'issue-locked',
    );
  valueOrExit(checkMove(issue.state, state, 'person'));
  const moved = valueOrExit(
    await tracker.update(id, { state, ...(issue.lock === undefined ? {} : { lock: null }) }, issue.revision),
  );
  const holder = issue.lock?.holder ?? null;
  return {
    issues: [moved, ...(await rollUpParents(tracker, moved))],
    stops: isOver(state) && holder !== null && isRunning(world, holder) ? holder.session : null,
  };
};

/** Moves the parents whose children have all arrived with this one, the nearest first. A parent that a session holds is left to that session. */
const rollUpParents = async (tracker: Tracker, moved: Issue): Promise<readonly Issue[]> => {
  if (moved.parent === undefined) return [];
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const rolled: Issue[] = [];
  let parent: IssueId | undefined = moved.parent;
  while (parent !== undefined) {
    const issues = reading.issues.map((issue) => rolled.find(({ id }) => id === issue.id) ?? issue);
    const next = pendingRollUps(indexIssues(issues)).find(({ issue }) => issue.id === parent);
    if (next === undefined || next.issue.lock !== undefined) break;
    const change = await tracker.update(next.issue.id, { state: next.state }, next.issue.revision);
    rolled.push(valueOrExit(change));
    parent = next.issue.parent;
  }
  return rolled;
};

/** `2 is now Done`, with the parents that moved along. */
export const movedWords = ({ issues, stops }: MovedIssues): string =>
  safe(
    [
      ...issues.map(({ id, state }, at) => `${at === 0 ? '' : 'its parent '}${id} is now ${state}`),
      ...(stops === null ? [] : [`session ${stops} stops its work on it`]),
    ].join('; '),
  );

const hostOfHolder = (world: World, { machine, workspace, session }: Holder): ReturnType<typeof hostOf> =>
  machine === hostname() && sessionIdPattern.test(session)
    ? hostOf(world, sessionPaths(workspace, session))
    : null;

const isRunning = (world: World, holder: Holder): boolean => hostOfHolder(world, holder)?.alive === true;

/** Whether the holder of a lock still works, as far as this machine can see: `pid 12, running, last sign of life 2 s ago`. */
const lifeWords = (world: World, { holder }: IssueLock): string => {
  if (holder === null || holder.machine !== hostname())
    return 'this machine cannot tell whether it is running';
  const host = hostOfHolder(world, holder);
  if (host === null) return 'no program is running it';
  const paths = sessionPaths(holder.workspace, holder.session);
  return host.elsewhere === undefined
    ? `${hostWords(host)}, ${signWords(sinceLastSign(world.disk, world.clock, paths))}`
    : hostWords(host);
};
