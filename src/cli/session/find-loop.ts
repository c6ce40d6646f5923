import { z } from 'zod';
import { fromJson } from '../../base/json.ts';
import { readFirstLine } from '../../observability/journal-file.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete, type StateName } from '../../session/status.ts';
import type { World } from '../world.ts';
import type { SessionHost } from './host-life.ts';
import { hostOf } from './open-session.ts';

/** An unfinished loop over a focus file. */
export interface FoundLoop {
  readonly paths: SessionPaths;
  readonly state: StateName | null;
  readonly host: SessionHost | null;
}

const createdSchema = z.object({ mode: z.literal('loop'), focus: z.string() });

/** The newest unfinished loop over `focus`, a path relative to the workspace; `null` when there is none. */
export const findLoop = (world: World, workspace: string, focus: string): FoundLoop | null => {
  for (const { session, state, status } of readSessions(world.disk, workspace).value) {
    const paths = sessionPaths(workspace, session);
    if (isComplete({ state, status }) || focusOf(world, paths) !== focus) continue;
    return { paths, state, host: hostOf(world, paths) };
  }
  return null;
};

const focusOf = ({ disk }: World, { journal }: SessionPaths): string | null => {
  const line = readFirstLine(disk, journal);
  // A loop with a torn first line cannot be resumed.
  return createdSchema.safeParse(fromJson(line ?? '')).data?.focus ?? null;
};
