import { z } from 'zod';
import { fromJson } from '../../base/json.ts';
import type { Issue } from '../../issues/issue.ts';
import { readFirstLine } from '../../observability/journal-file.ts';
import { foldJournal } from '../../observability/state-cache.ts';
import { type FlowStart, flowStartSchema } from '../../pipeline/modes/flow/flow-state.ts';
import { unwatched } from '../../pipeline/modes/flow/watch-again.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete, type StateName } from '../../session/status.ts';
import { inReviewWords } from '../../words/stream-words.ts';
import type { SessionHost } from '../session/host-life.ts';
import { hostOf } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { withStates } from './issues-now.ts';

/** An unfinished session for an issue. */
export interface FoundFlow {
  readonly paths: SessionPaths;
  readonly fill: FlowStart['fill'];
  readonly state: StateName | null;
  readonly host: SessionHost | null;
}

const createdSchema = z.object({ mode: z.literal('flow'), flow: flowStartSchema });

/** The newest unfinished session that was started for this issue; `null` when there is none. */
export const findFlow = (world: World, workspace: string, issue: string): FoundFlow | null => {
  for (const { session, state, status } of readSessions(world.disk, workspace).value) {
    const paths = sessionPaths(workspace, session);
    const start = isComplete({ state, status }) ? null : flowStartOf(world, paths);
    if (start?.issue !== issue) continue;
    return { paths, fill: start.fill, state, host: hostOf(world, paths) };
  }
  return null;
};

/** The newest complete session for this issue whose pull requests nobody watched to their end; `null` when there is none. */
export const findUnwatched = (world: World, workspace: string, issue: string): FoundFlow | null => {
  for (const { session, state, status } of readSessions(world.disk, workspace).value) {
    const paths = sessionPaths(workspace, session);
    const start = isComplete({ state, status }) ? flowStartOf(world, paths) : null;
    if (start?.issue !== issue) continue;
    if (unwatched(foldJournal(world.disk, paths).state).length === 0) continue;
    return { paths, fill: start.fill, state, host: hostOf(world, paths) };
  }
  return null;
};

/**
 * Where the work is that the newest complete session for this issue left in review, and that is still in review among `issues`, a sentence each; none when
 * there is no such session.
 */
export const findInReview = (
  world: World,
  workspace: string,
  issue: string,
  issues: readonly Issue[],
): readonly string[] => {
  for (const { session, state, status } of readSessions(world.disk, workspace).value) {
    const paths = sessionPaths(workspace, session);
    if (!isComplete({ state, status }) || flowStartOf(world, paths)?.issue !== issue) continue;
    const left = inReviewWords(withStates(foldJournal(world.disk, paths).state, issues));
    if (left.length > 0) return left;
  }
  return [];
};

/** What a session began with as a flow; `null` for any other session. */
export const flowStartOf = ({ disk }: Pick<World, 'disk'>, { journal }: SessionPaths): FlowStart | null => {
  const line = readFirstLine(disk, journal);
  // A session with a torn first line cannot be resumed.
  return createdSchema.safeParse(fromJson(line ?? '')).data?.flow ?? null;
};
