import type { EngineOptions } from '../engine/engine.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import { type Cli, valueOrExit } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import { loadConfiguration } from './load-settings.ts';
import { runSession } from './run-session.ts';
import { startHost } from './start-host.ts';
import { watchHosted } from './watch-hosted.ts';
import { type EngineWish, newSessionPaths, writePlanSource } from './wire.ts';
import type { World } from './world.ts';

export interface PlanStart {
  readonly workspace: string;
  /** For error messages. */
  readonly file: string;
  readonly text: string;
  readonly source: Extract<EngineOptions['begin'], { kind: 'new' }>['source'];
  readonly mode: OutputMode;
  /** The engine gets a process of its own, and this one ends. */
  readonly background?: boolean;
  /** Settings by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Checks a plan and reserves a session for it; nothing is written before the plan is known to be good. */
export const planWish = (cli: Cli, world: World, start: PlanStart): EngineWish => {
  const plan = valueOrExit(parsePlan(start.text, start.file));
  const attended = start.mode === 'screen' || start.mode === 'reader';
  const { settings } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    plan: start,
    attended,
    ...(start.flags ? { flags: start.flags } : {}),
  });
  return {
    paths: newSessionPaths(world, start.workspace),
    begin: { kind: 'new', goal: plan.goal, source: start.source, settings },
    settings,
    attended,
    planSource: start.text,
  };
};

/** Runs a plan as a new session, here or in a process of its own. */
export const startPlan = async (cli: Cli, world: World, start: PlanStart): Promise<number> => {
  const wish = planWish(cli, world, start);
  if (!start.background && wish.settings.host !== 'background')
    return runSession(cli, world, wish, start.mode);
  writePlanSource(world, wish.paths, start.text);
  const permissions = start.flags?.['permissions'];
  const flags = typeof permissions === 'string' ? ['--permissions', permissions] : [];
  const pid = await startHost(cli, world, wish.paths, ['--source', start.source, ...flags]);
  return watchHosted(cli, world, wish.paths, pid, start);
};
