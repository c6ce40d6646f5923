import type { IssueSession } from '../../issues/next-work.ts';
import { isParked } from '../../pipeline/modes/flow/is-parked.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { readSession } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { flowStartOf } from './find-flow.ts';
import { workloadOf } from './start-alone.ts';

/** An unfinished session of an issue as it stands now. */
export interface SeenSession extends Omit<IssueSession, 'ours'> {
  readonly paths: SessionPaths;
  readonly state: SessionState;
  readonly pid: number | null;
  /** The issues that it works on. */
  readonly listed: readonly string[];
}

/** The unfinished sessions of the workspace about issues of this tracker, newest first. */
export const issueSessions = (world: World, workspace: string, tracker: string): readonly SeenSession[] =>
  readSessions(world.disk, workspace).value.flatMap((summary) => {
    const paths = sessionPaths(workspace, summary.session);
    const start = isComplete(summary) ? null : flowStartOf(world, paths);
    return start === null || start.tracker !== tracker ? [] : (seenSession(world, paths) ?? []);
  });

/** One of them; `null`: it is complete, or none about an issue. */
export const seenSession = (world: World, paths: SessionPaths): SeenSession | null => {
  const start = flowStartOf(world, paths);
  if (start === null) return null;
  const { state, host } = readSession(world, paths);
  const lives = host !== null && (host.alive || host.elsewhere !== undefined);
  if (isComplete(state) && !lives) return null;
  const { listed } = workloadOf(state, start);
  return {
    paths,
    state,
    issue: start.issue,
    pid: host?.pid ?? null,
    standing: lives ? (isParked(state) ? 'waits' : 'working') : 'stopped',
    listed: listed.length > 0 ? listed : [start.issue],
  };
};
