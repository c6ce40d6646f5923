import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import type { Parsed } from '../../base/fault.ts';
import { layoutName } from '../../session/layout.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { readSessions, type SessionSummary } from '../../session/session-list.ts';
import { statusWords } from '../../session/status.ts';
import type { Cli } from '../cli.ts';
import { createWorld, type World } from '../world.ts';
import { findWorkspace } from './find-workspace.ts';
import { isDead, type SessionHost } from './host-life.ts';
import { hostOf } from './open-session.ts';
import { readSeen } from './seen-file.ts';
import { sessionGoal } from './session-goal.ts';

/** One line of `sessions --json`. */
export interface SessionRow {
  readonly session_id: string;
  /** As in `metadata.yaml`, or `crashed`: unfinished, not paused, and its host is dead. */
  readonly status: string;
  readonly state: string;
  /** Done tasks of all tasks: `4/10`. */
  readonly progress: string;
  readonly age_s: number;
  readonly stop_reason: string | null;
  readonly layout: string;
  /** The session's goal; `null` without a journal of ours. */
  readonly goal: string | null;
  /** The process that holds the lock, or `null`. */
  readonly host: SessionHost | null;
}

/** Every session of the workspace, newest first. */
export const listSessions = (cli: Cli): readonly SessionRow[] => readSessionRows(cli).value;

/** The same with what could not be read: a directory that is closed to this account may hold sessions. */
export const readSessionRows = (cli: Cli): Parsed<readonly SessionRow[]> => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const { value, problems } = readSessions(world.disk, workspace);
  return { value: value.map((session) => rowOf(world, workspace, session)), problems };
};

/** The sessions of every workspace that this account has seen, those of the current one first. */
export const listEverywhere = (cli: Cli): readonly (SessionRow & { readonly workspace: string })[] => {
  const world = createWorld();
  const seen = Object.values(readSeen(cli, world)).map(({ workspace }) => workspace);
  const places = new Set([findWorkspace(cli.cwd), ...seen]);
  return [...places]
    .filter((workspace) => world.disk.lstat(join(workspace, '.ralph-sessions')) !== null)
    .flatMap((workspace) =>
      readSessions(world.disk, workspace).value.map((session) => ({
        ...rowOf(world, workspace, session),
        workspace,
      })),
    );
};

const rowOf = (world: World, workspace: string, session: SessionSummary): SessionRow => {
  const paths = sessionPaths(workspace, session.session);
  const host = knownHost(world, paths);
  const crashed = session.layout.ours && session.status === 'in_progress' && isDead(host);
  return {
    session_id: session.session,
    status: crashed ? 'crashed' : (session.status ?? '—'),
    state: session.state ?? '—',
    progress: `${session.tasks.done}/${session.tasks.total}`,
    age_s: Math.max(0, Math.round((world.clock.now() - session.changedMs) / 1_000)),
    stop_reason: session.stopReason,
    layout: layoutName(session.layout),
    goal: session.layout.ours ? sessionGoal(world, paths) : null,
    host,
  };
};

/** An unreadable session, such as another account's, must not hide the others. */
const knownHost = (world: World, paths: SessionPaths): SessionHost | null => {
  try {
    return hostOf(world, paths);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return null;
  }
};

/** A session at the knowledge gate counts as waiting for a person. */
export const rowWords = ({ status, state, host }: SessionRow): string =>
  host?.alive && state === 'KNOWLEDGE_APPROVAL' ? 'waits for you' : statusWords(status);
