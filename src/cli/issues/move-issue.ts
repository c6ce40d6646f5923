import { hostname } from 'node:os';
import type { Issue, IssueLock } from '../../issues/issue.ts';
import { lockText } from '../../issues/lock.ts';
import { issueStateSchema, stateNamed } from '../../issues/state.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import { checkMove } from '../../issues/transitions.ts';
import { signWords, sinceLastSign } from '../../session/heartbeat.ts';
import { sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import { type Cli, usage, valueOrExit } from '../cli.ts';
import { hostWords } from '../session/host-life.ts';
import { hostOf } from '../session/open-session.ts';
import type { World } from '../world.ts';

/**
 * Moves an issue for a person, who alone leaves Human Needed and cancels. Refuses inside a session, whose agents must not wave their own work through,
 * and while a session holds the issue, unless its lock is to be broken.
 */
export const moveIssue = async (
  cli: Cli,
  world: World,
  tracker: Tracker,
  id: string,
  name: string,
  breaksLock: boolean,
): Promise<Issue> => {
  const state = stateNamed(name);
  if (state === null)
    throw usage(`unknown state "${name}"`, `use one of ${issueStateSchema.options.join(', ')}`);
  if (cli.env['RALPH_RUN'] !== undefined)
    throw usage(
      'only a person can move issues, but this command was started by an agent or by a command running in a session',
      'move the issue on the screen, or in your own terminal',
    );
  const issue = valueOrExit(await tracker.show(id));
  if (issue.lock !== undefined && !breaksLock)
    throw usage(
      `issue ${issue.id} is locked by ${lockText(issue.lock)} (${lifeWords(world, issue.lock)})`,
      'stop that session, or add --break-lock',
      'issue-locked',
    );
  valueOrExit(checkMove(issue.state, state, 'person'));
  return valueOrExit(
    await tracker.update(id, { state, ...(issue.lock === undefined ? {} : { lock: null }) }, issue.revision),
  );
};

/** Whether the holder of a lock still works, as far as this machine can see: `pid 12, running, last sign of life 2 s ago`. */
const lifeWords = (world: World, { holder }: IssueLock): string => {
  if (holder === null || holder.machine !== hostname())
    return 'this machine cannot tell whether it is running';
  if (!sessionIdPattern.test(holder.session)) return 'no program is running it';
  const paths = sessionPaths(holder.workspace, holder.session);
  const host = hostOf(world, paths);
  if (host === null) return 'no program is running it';
  return host.elsewhere === undefined
    ? `${hostWords(host)}, ${signWords(sinceLastSign(world.disk, world.clock, paths))}`
    : hostWords(host);
};
