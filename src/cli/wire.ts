import { createBackends } from '../agents/backends/index.io.ts';
import { planSource } from '../agents/backends/script/plan.ts';
import { formatTimestamp } from '../base/clock.ts';
import { sha256 } from '../base/hash.io.ts';
import { readText, writeNew } from '../base/replace-file.ts';
import { discardDirectory } from '../base/temporary-file.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine, EngineOptions } from '../engine/engine.ts';
import { watchDirectory } from '../engine/watch-directory.io.ts';
import type { Event } from '../pipeline/event.ts';
import { type SessionPaths, sessionPaths } from '../session/paths.ts';
import { sessionDirectoryFault } from '../session/private-directory.ts';
import { reserveSessionId } from '../session/session-id.ts';
import type { Settings } from '../session/settings.ts';
import { type Cli, failure } from './cli.ts';
import type { Flags } from './options.ts';
import { rememberTrust } from './trust-memory.ts';
import { sessionName } from './trust-subjects.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

/** The paths of a new session, whose directory is made here and is nobody else's. */
export const newSessionPaths = (world: World, workspace: string): SessionPaths => {
  const unsafe = sessionDirectoryFault(world.disk, sessionPaths(workspace, '000000-000000'));
  if (unsafe) throw failure(unsafe);
  return sessionPaths(workspace, reserveSessionId(world.disk, world.clock, workspace));
};

export interface EngineWish {
  readonly paths: SessionPaths;
  readonly begin: EngineOptions['begin'];
  readonly settings: Settings;
  readonly attended: boolean;
  /** A new session's plan, kept beside what it becomes: the script Planner reads it. */
  readonly planSource?: string;
  /** The bytes of the workspace's configuration that somebody agreed to, as their SHA-256; `null` where nothing was to be asked. */
  readonly config: string | null;
  readonly flags: Flags;
}

/** Joins the parts into one engine on the real outside. */
export const wireEngine = (cli: Cli, world: World, wish: EngineWish): Engine => {
  if (wish.planSource !== undefined) writePlanSource(world, wish.paths, wish.planSource);
  const engine = createEngine({
    ...world,
    paths: wish.paths,
    backends: createBackends({ ...world, env: cli.env }, wish.settings.agents),
    begin: wish.begin,
    attended: wish.attended,
    program: `ralph-tui ${version}`,
    watchMailbox: watchDirectory,
  });
  if (wish.begin.kind === 'new') engine.subscribe((event) => noteOwn(cli, world, wish.paths, event));
  return engine;
};

/** A session that began here is known by its first line, before that line is on disk: a crash in between must not make it a stranger. */
const noteOwn = (cli: Cli, world: World, { workspace, session }: SessionPaths, event: Event): void => {
  if (event.type !== 'session.created') return;
  rememberTrust(cli.env, world, {
    workspace,
    name: sessionName(session),
    sha256: sha256(JSON.stringify(event)),
    at: formatTimestamp(world.clock),
  });
};

/** The plan a session was started with, as far as it is still there. */
export const readPlanSource = (
  world: World,
  paths: SessionPaths,
): { readonly file: string; readonly text: string } | null => {
  const file = planSource(paths.directory);
  const text = readText(world.disk, file);
  return text === null ? null : { file, text };
};

export const writePlanSource = (world: World, paths: SessionPaths, text: string): void => {
  world.disk.mkdir(paths.directory);
  try {
    writeNew(world.disk, world.random, planSource(paths.directory), text);
  } catch (error) {
    discardDirectory(world.disk, paths.directory);
    throw error;
  }
};
