import { join } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { discardDirectory } from '../../base/temporary-file.ts';
import type { EngineOptions } from '../../engine/engine.ts';
import type { IssueId } from '../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../issues/issue-index.ts';
import { type FlowWorkload, sharedWork } from '../../issues/shared-work.ts';
import { withFileLock } from '../../issues/trackers/file-lock.ts';
import { listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { indexOfReading } from '../../pipeline/modes/flow/position-of-flow.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { sessionNames } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { alreadyRunningCode } from '../cli.ts';
import { hostOf, readSession } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { flowStartOf } from './find-flow.ts';

/** The issues that a start is about, and the tracker as it was read for it. */
export interface StartedIssues {
  readonly tracker: string;
  readonly issues: readonly IssueId[];
  readonly index: IssueIndex;
}

/** The part of a start that says what it is about. */
interface FlowRequest {
  readonly paths: SessionPaths;
  readonly begin: EngineOptions['begin'];
  readonly issues?: StartedIssues;
}

/**
 * Starts a flow unless a session that a program runs works on one of its issues already. The look and the start are one step: of two programs at the
 * same moment the second finds the session of the first.
 */
export const startAlone = (
  world: World,
  request: FlowRequest,
  start: () => Promise<Fault | null>,
): Promise<Fault | null> => {
  const mine = startedIssues(world, request);
  if (mine === null) return start();
  const { paths, begin } = request;
  return withFileLock(
    { ...world, workspace: paths.workspace },
    join(paths.directory, '..', 'issues'),
    async () => {
      const fault = runningFor(world, paths, mine);
      if (fault === null) return start();
      // Its directory is still empty.
      if (begin.kind === 'new') discardDirectory(world.disk, paths.directory);
      return fault;
    },
  );
};

/** A living session of the workspace that works on one of these issues, as a fault; `null`: there is none. */
export const runningFor = (
  world: World,
  { workspace, session }: Pick<SessionPaths, 'workspace' | 'session'>,
  mine: StartedIssues,
): Fault | null => {
  for (const name of sessionNames(world.disk, workspace)) {
    const paths = sessionPaths(workspace, name);
    const host = name === session ? null : hostOf(world, paths);
    if (host === null || (!host.alive && host.elsewhere === undefined)) continue;
    const start = flowStartOf(world, paths);
    if (start === null || start.tracker !== mine.tracker) continue;
    const { state } = readSession(world, paths);
    const shared = isComplete(state) ? [] : sharedWork(mine.index, mine.issues, workloadOf(state, start));
    if (shared.length > 0) return alreadyRunning(shared, paths, host.pid);
  }
  return null;
};

export const alreadyRunning = (
  issues: readonly IssueId[],
  { session, directory }: Pick<SessionPaths, 'session' | 'directory'>,
  pid: number,
): Fault => ({
  code: alreadyRunningCode,
  what: `${issues.length === 1 ? 'issue' : 'issues'} ${issues.map(safe).join(', ')} ${issues.length === 1 ? 'is' : 'are'} already being worked on: session ${session}, pid ${pid}`,
  where: directory,
  hint: `watch it with \`ralph-tui attach ${session}\``,
});

/** What a session works on, and what it was started for. */
export const workloadOf = (
  state: SessionState,
  start: Pick<FlowWorkload, 'issue' | 'only'>,
): FlowWorkload => {
  const { flow } = state;
  const isListed = flow !== null && flow.reading !== null && !flow.again;
  return {
    ...start,
    listed: isListed ? listOf(state, flow).flatMap(({ listed }) => listed.issues) : [],
  };
};

/** What a new flow was prepared for, or the list of a session that goes on; `null` for other sessions. */
const startedIssues = (world: World, { begin, paths, issues }: FlowRequest): StartedIssues | null => {
  if (begin.kind === 'new') {
    if (begin.flow === undefined) return null;
    const { tracker, issue } = begin.flow;
    return issues ?? { tracker, issues: [issue], index: indexIssues([]) };
  }
  const start = flowStartOf(world, paths);
  if (start === null) return null;
  const { state } = readSession(world, paths);
  const { listed } = workloadOf(state, start);
  const reading = state.flow?.reading ?? null;
  return {
    tracker: start.tracker,
    issues: listed.length > 0 ? listed : [start.issue],
    index: reading === null ? indexIssues([]) : indexOfReading(reading),
  };
};
