import { basename } from 'node:path';
import { type Fault, formatFault } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import type { JournalRead } from '../../observability/journal.ts';
import { beginningFault } from '../../observability/journal-beginning.ts';
import { readJournal } from '../../observability/journal-file.ts';
import { eventsOfSnapshot } from '../../observability/snapshot-events.ts';
import { foldJournal } from '../../observability/state-cache.ts';
import { foldOrFault } from '../../observability/unusable-event.ts';
import type { Event } from '../../pipeline/event.ts';
import { evolveAll } from '../../pipeline/evolve.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { detectLayout, type FoundLayout, layoutName } from '../../session/layout.ts';
import { readLock } from '../../session/lock.ts';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import { readSessions, sessionNames } from '../../session/session-list.ts';
import { readSession as readSnapshot } from '../../session/snapshot.ts';
import { isComplete } from '../../session/status.ts';
import { type Cli, failure, usage } from '../cli.ts';
import { eventsWithoutSecrets } from '../events-without-secrets.ts';
import { createWorld, type World } from '../world.ts';
import { findWorkspace } from './find-workspace.ts';
import { hostLife, type SessionHost } from './host-life.ts';
import { readSeen } from './seen-file.ts';

/** A session as any process can read it, running or not, ours or foreign. */
export interface OpenSession {
  readonly world: World;
  readonly paths: SessionPaths;
  readonly layout: FoundLayout;
  readonly state: SessionState;
  /** The process that holds the lock, or `null`. */
  readonly host: SessionHost | null;
  readonly problems: readonly Fault[];
}

/** A session with all its events, for viewers and replays. */
export interface OpenJournal extends OpenSession {
  readonly events: readonly Event[];
  /** Bytes of the journal read so far; a viewer continues from there. */
  readonly offset: number;
}

/** Opens the named session, else the newest unfinished one, else the newest. */
export const openSession = (cli: Cli, id: string | undefined): OpenSession => {
  const world = createWorld();
  return readSession(world, pathsOf(world, cli, id));
};

/** Opens the same session with all its events. */
export const openJournalOf = (cli: Cli, id: string | undefined): OpenJournal => {
  const world = createWorld();
  return readJournalOf(world, pathsOf(world, cli, id));
};

const pathsOf = (world: World, cli: Cli, id: string | undefined): SessionPaths => {
  const workspace = findWorkspace(cli.cwd);
  return id === undefined ? newest(world, cli, workspace) : named(world, workspace, id);
};

/** Opens a session for commands that write into it; refuses a layout we do not write. */
export const openWritableSession = (cli: Cli, id: string | undefined): OpenSession =>
  writable(openSession(cli, id));

/** Opens the same session with all its events. */
export const openWritableJournal = (cli: Cli, id: string | undefined): OpenJournal =>
  writable(openJournalOf(cli, id));

const writable = <T extends OpenSession>(session: T): T => {
  if (session.layout.lostJournal)
    throw failure({
      code: 'no-journal',
      what: 'the journal of this session is missing or damaged, so the session is read-only',
      where: session.paths.journal,
      hint: 'restore journal.jsonl, or start a new session',
    });
  if (session.layout.layout === 'unknown' && session.host?.alive === true)
    throw failure({
      code: 'session-starting',
      what: `session ${session.paths.session} is being started`,
      hint: 'try again in a moment',
    });
  if (!session.layout.writable)
    throw failure({
      code: 'layout-read-only',
      what: `this session was written by ${layoutName(session.layout)} and is read-only`,
      where: session.paths.directory,
      hint: 'steer it with the program that runs it',
    });
  return session;
};

/** Folds the journal of one of our sessions, or the events derived from a foreign session's files. */
export const readSession = (world: World, paths: SessionPaths): OpenSession => {
  const layout = detectLayout(world.disk, paths.directory);
  if (!layout.ours) return openedWith(world, paths, layout, readForeign(world, paths));
  const damaged = beginningFault(world.disk, paths.journal);
  if (damaged !== null) return unreadable(world, paths, layout, damaged);
  const folded = foldJournal(world.disk, paths);
  return isBlank(folded.state) && hasMetadata(world, paths)
    ? unreadable(world, paths, layout, noEvents(paths))
    : sessionOf(world, paths, layout, folded);
};

/** No event could be read. */
const isBlank = ({ session, state, tasks }: SessionState): boolean =>
  session === '' && state === 'INITIALIZING' && tasks.size === 0;

const hasMetadata = ({ disk }: World, paths: SessionPaths): boolean =>
  disk.lstat(paths.metadata)?.kind === 'file';

/** A session whose journal tells nothing, by its other files. It cannot be resumed. */
const unreadable = (world: World, paths: SessionPaths, layout: FoundLayout, why: Fault): OpenJournal => {
  const { problems, ...read } = readForeign(world, paths);
  const fault = {
    ...why,
    code: 'journal-unreadable',
    what: `${why.what}: the state shown comes from metadata.yaml and progress.md`,
  };
  const lost = { ...layout, ours: false, writable: false, lostJournal: true } as const;
  return openedWith(world, paths, lost, { ...read, problems: [fault, ...problems] });
};

const noEvents = ({ journal }: SessionPaths): Fault => ({
  code: 'no-events',
  what: 'contains no events',
  where: journal,
  hint: 'restore the journal from a backup, or start a new session',
});

/** Reads the same with all events. */
export const readJournalOf = (world: World, paths: SessionPaths): OpenJournal => {
  const layout = detectLayout(world.disk, paths.directory);
  const damaged = layout.ours ? beginningFault(world.disk, paths.journal) : null;
  if (damaged !== null) return unreadable(world, paths, layout, damaged);
  const read = layout.ours ? readJournal(world.disk, paths.journal) : readForeign(world, paths);
  if (layout.ours && read.events.length === 0 && hasMetadata(world, paths))
    return unreadable(world, paths, layout, noEvents(paths));
  return openedWith(world, paths, layout, read);
};

const openedWith = (
  world: World,
  paths: SessionPaths,
  layout: FoundLayout,
  { events, offset, problems }: JournalRead,
): OpenJournal => ({
  ...sessionOf(world, paths, layout, {
    state: foldOrFault(world.disk, paths.journal, () => evolveAll(null, events)),
    problems,
  }),
  events,
  offset,
});

const sessionOf = (
  world: World,
  paths: SessionPaths,
  layout: FoundLayout,
  { state, problems }: Pick<OpenSession, 'state' | 'problems'>,
): OpenSession => ({
  world,
  paths,
  layout,
  state,
  host: hostOf(world, paths),
  problems: [...state.problems, ...problems],
});

const readForeign = (world: World, paths: SessionPaths): JournalRead => {
  const { value, problems } = readSnapshot(world.disk, paths.workspace, paths.session);
  return {
    events: eventsWithoutSecrets(world.redact, eventsOfSnapshot(value)).events,
    problems,
    offset: 0,
  };
};

/** The process that holds the session's lock, or `null`. */
export const hostOf = (world: World, paths: SessionPaths): SessionHost | null => {
  const holder = readLock(world.disk, paths);
  if (!holder || holder.released) return null;
  return hostLife(world, paths, holder);
};

/** Throws a usage error that lists the session's tasks when `task` is none of them. */
export const requireTask = (session: OpenSession, task: string): void => {
  if (session.state.tasks.has(task)) return;
  throw usage(
    `no task "${safe(task)}" in session ${session.paths.session}`,
    `tasks: ${[...session.state.tasks.keys()].map(safe).join(', ') || 'not planned yet'}`,
  );
};

/** `latest` is the newest session. The beginning of an id stands for the one session that has it. */
const named = (world: World, workspace: string, id: string): SessionPaths => {
  if (sessionIdPattern.test(id)) {
    const paths = sessionPaths(workspace, id);
    if (world.disk.lstat(paths.directory)?.kind === 'directory') return paths;
  }
  const sessions = id === 'latest' || idStart.test(id) ? readSessions(world.disk, workspace).value : [];
  const [latest] = sessions;
  if (id === 'latest' && latest !== undefined) return sessionPaths(workspace, latest.session);
  const fits = sessions.filter(({ session }) => session.startsWith(id));
  if (fits[0] !== undefined && fits.length === 1) return sessionPaths(workspace, fits[0].session);
  if (fits.length > 1)
    throw usage(
      `"${id}" matches ${fits.length} sessions: ${fits
        .slice(0, 5)
        .map(({ session }) => session)
        .join(', ')}${fits.length > 5 ? ' …' : ''}`,
      'type more of the id',
      'ambiguous-session',
    );
  throw usage(`no session "${safe(id)}" in ${workspace}`, '`ralph-tui sessions` lists them', 'no-session');
};

/** The first characters of a session id, four at least: a single digit would name a decade. */
const idStart = /^\d{4,6}(?:-\d{0,6})?$/;

const newest = (world: World, cli: Cli, workspace: string): SessionPaths => {
  const [only, ...others] = sessionNames(world.disk, workspace);
  if (only !== undefined && others.length === 0) return sessionPaths(workspace, only);
  const { value: sessions, problems } = readSessions(world.disk, workspace);
  // A session that is only a directory cannot be steered and must not hide a real one.
  const begun = sessions.filter(({ layout }) => layout.layout !== 'unknown');
  const among = begun.length > 0 ? begun : sessions;
  const found = among.find((session) => !isComplete(session)) ?? among[0];
  if (found) return sessionPaths(workspace, found.session);
  throw usage(
    `there is no session in ${workspace}${problems[0] ? ` (${formatFault(problems[0])})` : ''}`,
    runningElsewhere(cli, world) ?? 'start one with `ralph-tui run --plan FILE`, or see `ralph-tui demo`',
    'no-session',
  );
};

/** Where the session runs that was seen last: a second terminal may be in another directory. `null` when none runs. */
const runningElsewhere = (cli: Cli, world: World): string | null => {
  const seen = Object.entries(readSeen(cli, world)).toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1));
  const running = seen
    .map(([directory, { workspace }]) => sessionPaths(workspace, basename(directory)))
    .find((paths) => hostOf(world, paths)?.alive === true);
  if (running === undefined) return null;
  return `session ${running.session} is running in another directory: first \`${printedCommand('cd', running.workspace)}\``;
};
