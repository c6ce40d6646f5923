import { createBackends } from '../agents/backends/index.io.ts';
import { planSource } from '../agents/backends/script/plan.ts';
import { readText, writeNew } from '../base/replace-file.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine, EngineOptions } from '../engine/engine.ts';
import { watchDirectory } from '../engine/watch-directory.io.ts';
import { type SessionPaths, sessionPaths } from '../session/paths.ts';
import { reserveSessionId } from '../session/session-id.ts';
import type { Settings } from '../session/settings.ts';
import type { Cli } from './cli.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

/** The paths of a new session, whose directory is made here and is nobody else's. */
export const newSessionPaths = (world: World, workspace: string): SessionPaths =>
  sessionPaths(workspace, reserveSessionId(world.disk, world.clock, workspace));

export interface EngineWish {
  readonly paths: SessionPaths;
  readonly begin: EngineOptions['begin'];
  readonly settings: Settings;
  readonly attended: boolean;
  /** A new session's plan, kept beside what it becomes: the script Planner reads it. */
  readonly planSource?: string;
}

/** Joins the parts into one engine on the real outside. */
export const wireEngine = (cli: Cli, world: World, wish: EngineWish): Engine => {
  if (wish.planSource !== undefined) writePlanSource(world, wish.paths, wish.planSource);
  return createEngine({
    ...world,
    paths: wish.paths,
    backends: createBackends({ ...world, env: cli.env }, wish.settings.agents),
    begin: wish.begin,
    attended: wish.attended,
    program: `ralph-tui ${version}`,
    watchMailbox: watchDirectory,
    secrets: secretsOf(cli.env),
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
  writeNew(world.disk, world.random, planSource(paths.directory), text);
};

/** Values of the environment that look like secrets by their name; short ones would blank ordinary words. */
const secretsOf = (env: Cli['env']): readonly string[] =>
  Object.entries(env)
    .filter(([name, value]) => /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL)/i.test(name) && value)
    .map(([, value]) => value ?? '')
    .filter((value) => value.length >= 8);
