import type { EngineOptions } from '../engine/engine.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import { type Cli, valueOrExit } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import { loadConfiguration } from './load-settings.ts';
import { runSession } from './run-session.ts';
import { newSessionPaths } from './wire.ts';
import type { World } from './world.ts';

export interface PlanStart {
  readonly workspace: string;
  /** For error messages. */
  readonly file: string;
  readonly text: string;
  readonly source: Extract<EngineOptions['begin'], { kind: 'new' }>['source'];
  readonly mode: OutputMode;
  /** Settings by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Checks a plan and runs it as a new session; nothing is written before the plan is known to be good. */
export const startPlan = (cli: Cli, world: World, start: PlanStart): Promise<number> => {
  const plan = valueOrExit(parsePlan(start.text, start.file));
  const attended = start.mode === 'screen';
  const { settings } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    plan: start,
    attended,
    ...(start.flags ? { flags: start.flags } : {}),
  });
  return runSession(
    cli,
    world,
    {
      paths: newSessionPaths(world, start.workspace),
      begin: { kind: 'new', goal: plan.goal, source: start.source, settings },
      settings,
      attended,
      planSource: start.text,
    },
    start.mode,
  );
};
