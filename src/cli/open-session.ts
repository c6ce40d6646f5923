import { type Fault, formatFault } from '../base/fault.ts';
import { redactDeep } from '../base/redact.ts';
import { safe } from '../base/safe.ts';
import { readJournal } from '../observability/journal-file.ts';
import { eventsOfSnapshot } from '../observability/snapshot-events.ts';
import { type Event, eventBodySchema } from '../pipeline/event.ts';
import { evolve } from '../pipeline/evolve.ts';
import { initialState } from '../pipeline/initial.ts';
import type { SessionState } from '../pipeline/state.ts';
import { detectLayout, type FoundLayout, layoutName } from '../session/layout.ts';
import { readLock } from '../session/lock.ts';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../session/paths.ts';
import { readSessions } from '../session/session-list.ts';
import { readSession as readSnapshot } from '../session/snapshot.ts';
import { type Cli, failure, usage } from './cli.ts';
import { findWorkspace } from './find-workspace.ts';
import { createWorld, type World } from './world.ts';

/** A session as any process may read it, whoever runs it and whoever wrote it. */
export interface OpenSession {
  readonly world: World;
  readonly paths: SessionPaths;
  readonly layout: FoundLayout;
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

/** The same for commands that write into it: a layout we do not write is refused. */
export const openWritableSession = (cli: Cli, id: string | undefined): OpenSession => {
  const session = openSession(cli, id);
  if (!session.layout.writable)
    throw failure({
      code: 'layout-read-only',
      what: `this session was laid out by ${layoutName(session.layout)} and can only be read`,
      where: session.paths.directory,
      mend: 'steer it with the program that runs it',
    });
  return session;
};

/** Folds the journal of one of ours, or what the files of somebody else's tell. */
export const readSession = (world: World, paths: SessionPaths): OpenSession => {
  const layout = detectLayout(world.disk, paths.directory);
  const read = layout.ours ? readJournal(world.disk, paths.journal) : readForeign(world, paths);
  let state: SessionState | null = null;
  for (const event of read.events) state = evolve(state, event);
  return {
    world,
    paths,
    layout,
    events: read.events,
    offset: read.offset,
    state: state ?? initialState(),
    host: hostOf(world, paths),
    problems: [...(state?.problems ?? []), ...read.problems],
  };
};

const readForeign = (world: World, paths: SessionPaths) => {
  const { value, problems } = readSnapshot(world.disk, paths.workspace, paths.session);
  return {
    events: eventsOfSnapshot(value).map((event) => withoutSecrets(world, event)),
    problems,
    offset: 0,
  };
};

/** What another program wrote nobody has looked through; a task id that looks like a key leaves its event as it is. */
const withoutSecrets = (world: World, event: Event): Event => {
  const clean = redactDeep(world.redact, event);
  const body = clean === event ? undefined : eventBodySchema.safeParse(clean).data;
  return body ? { ...body, seq: event.seq, at: event.at } : event;
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
  if (sessionIdPattern.test(id)) {
    const paths = sessionPaths(workspace, id);
    if (world.disk.lstat(paths.directory)?.kind === 'directory') return paths;
  }
  throw usage(`no session "${safe(id)}" in ${workspace}`, '`ralph-tui sessions` lists them', 'no-session');
};

const newest = (world: World, workspace: string): SessionPaths => {
  const { value: sessions, problems } = readSessions(world.disk, workspace);
  // One that came no further than its directory is nobody's to steer, and hides none that is there.
  const begun = sessions.filter(({ layout }) => layout.layout !== 'unknown');
  const among = begun.length > 0 ? begun : sessions;
  const found = among.find((session) => session.state !== 'COMPLETE') ?? among[0];
  if (found) return sessionPaths(workspace, found.session);
  throw usage(
    `there is no session in ${workspace}${problems[0] ? ` (${formatFault(problems[0])})` : ''}`,
    'start one with `ralph-tui run --plan FILE`, or see `ralph-tui demo`',
    'no-session',
  );
};
