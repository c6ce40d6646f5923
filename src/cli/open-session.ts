import type { Fault } from '../base/fault.ts';
import { safe } from '../base/safe.ts';
import { readJournal } from '../observability/journal-file.ts';
import type { Event } from '../pipeline/event.ts';
import { evolve } from '../pipeline/evolve.ts';
import type { SessionState } from '../pipeline/state.ts';
import { readLock } from '../session/lock.ts';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../session/paths.ts';
import { type Cli, failure, usage } from './cli.ts';
import { findWorkspace } from './find-workspace.ts';
import { createWorld, type World } from './world.ts';

/** A session as any process may read it, whoever runs it. */
export interface OpenSession {
  readonly world: World;
  readonly paths: SessionPaths;
  readonly events: readonly Event[];
  /** Where the journal was read up to; a viewer goes on from there. */
  readonly offset: number;
  readonly state: SessionState;
  /** Who runs it, `null` when nobody holds it. */
  readonly host: SessionHost | null;
  readonly problems: readonly Fault[];
}

export interface SessionHost {
  readonly pid: number;
  readonly alive: boolean;
}

/** Opens the session that is meant: the named one, else the newest unfinished one, else the newest. */
export const openSession = (cli: Cli, id: string | undefined): OpenSession => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  return readSession(world, id === undefined ? newest(world, workspace) : named(world, workspace, id));
};

/** Reads a session's journal and folds it. */
export const readSession = (world: World, paths: SessionPaths): OpenSession => {
  const read = readJournal(world.disk, paths.journal);
  let state: SessionState | null = null;
  for (const event of read.events) state = evolve(state, event);
  if (state === null)
    throw failure({
      code: 'no-journal',
      what: 'this session has no journal of ours',
      where: paths.directory,
      mend: '`ralph-tui sessions` shows what can be read of it',
    });
  return {
    world,
    paths,
    events: read.events,
    offset: read.offset,
    state,
    host: hostOf(world, paths),
    problems: [...state.problems, ...read.problems],
  };
};

/** The process that holds the session's lock. */
export const hostOf = (world: World, paths: SessionPaths): SessionHost | null => {
  const holder = readLock(world.disk, paths);
  if (!holder || holder.released) return null;
  return { pid: holder.pid, alive: world.spawn.isAlive(holder) === 'alive' };
};

/** A task of the session, or a usage error that names what there is. */
export const requireTask = (session: OpenSession, task: string): void => {
  if (session.state.tasks.has(task)) return;
  throw usage(
    `no task "${safe(task)}" in session ${session.paths.session}`,
    `tasks are ${[...session.state.tasks.keys()].map(safe).join(', ') || 'not planned yet'}`,
  );
};

const named = (world: World, workspace: string, id: string): SessionPaths => {
  const paths = sessionPaths(workspace, id);
  if (!sessionIdPattern.test(id) || world.disk.lstat(paths.directory)?.kind !== 'directory')
    throw usage(`no session "${safe(id)}" in ${workspace}`, '`ralph-tui sessions` lists them');
  return paths;
};

const newest = (world: World, workspace: string): SessionPaths => {
  const all = sessionIds(world, workspace).map((id) => sessionPaths(workspace, id));
  const latest = all[0];
  if (!latest)
    throw usage(
      `there is no session in ${workspace}`,
      'start one with `ralph-tui run --plan FILE`, or see `ralph-tui demo`',
      'no-session',
    );
  return all.find((paths) => isUnfinished(world, paths)) ?? latest;
};

/** Ids of the workspace's sessions, newest first. */
export const sessionIds = (world: World, workspace: string): readonly string[] => {
  const { root } = sessionPaths(workspace, '');
  if (world.disk.lstat(root)?.kind !== 'directory') return [];
  return world.disk
    .readdir(root)
    .filter((name) => sessionIdPattern.test(name))
    .sort()
    .reverse();
};

const isUnfinished = (world: World, paths: SessionPaths): boolean => {
  try {
    return readSession(world, paths).state.state !== 'COMPLETE';
  } catch {
    return false;
  }
};
