import type { EngineOptions } from '../engine/engine.ts';
import { layerOfPlan } from '../session/config.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import { agreeTo } from './agree-to.ts';
import { type Cli, exitCodes, valueOrExit } from './cli.ts';
import { hostApart } from './host-apart.ts';
import type { OutputMode } from './hosting.ts';
import { loadConfiguration } from './load-settings.ts';
import type { Flags } from './options.ts';
import type { Prepared } from './prepared.ts';
import { runSession } from './run-session.ts';
import { configSubject, planSubject, type Subject } from './trust-subjects.ts';
import { watchHosted } from './watch-hosted.ts';
import { newSessionPaths } from './wire.ts';
import type { World } from './world.ts';

export interface PlanStart {
  readonly workspace: string;
  /** For error messages. */
  readonly file: string;
  readonly text: string;
  readonly source: Extract<EngineOptions['begin'], { kind: 'new' }>['source'];
  /** What has to be agreed to instead of the plan itself: discovered checks stand in other files. */
  readonly subject?: Subject;
  readonly mode: OutputMode;
  /** The engine gets a process of its own, and this one ends. */
  readonly background?: boolean;
  readonly flags?: Flags;
}

/** Checks a plan and what it would run with; nothing is written yet. */
export const preparePlan = (cli: Cli, world: World, start: PlanStart): Prepared => {
  const plan = valueOrExit(parsePlan(start.text, start.file));
  const attended = start.mode === 'screen' || start.mode === 'reader';
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    plan: layerOfPlan(plan, start.file),
    attended,
    ...(start.flags ? { flags: start.flags } : {}),
  });
  const own = layers.filter(({ name }) => name === 'plan');
  const config = configSubject(layers);
  const subjects = [
    start.subject ?? planSubject(start.workspace, start.file, start.text, plan, own),
    ...(config ? [config] : []),
  ];
  return {
    workspace: start.workspace,
    // The sample is ours and lies in a folder that was just made for it.
    subjects: start.source === 'demo' ? [] : subjects,
    wish: () => ({
      paths: newSessionPaths(world, start.workspace),
      begin: { kind: 'new', goal: plan.goal, source: start.source, settings },
      settings,
      attended,
      planSource: start.text,
      config: config?.sha256 ?? null,
      flags: start.flags ?? {},
    }),
  };
};

/** Runs a plan as a new session, here or in a process of its own, once what it would run is agreed to. */
export const startPlan = async (
  cli: Cli,
  world: World,
  start: PlanStart,
  how: { readonly yes: boolean; readonly mayAsk: boolean },
): Promise<number> => {
  const prepared = preparePlan(cli, world, start);
  if (!(await agreeTo(cli, world, prepared, how))) return exitCodes.done;
  const wish = prepared.wish();
  if (!start.background && wish.settings.host !== 'background')
    return runSession(cli, world, wish, start.mode);
  const pid = await hostApart(cli, world, wish);
  return watchHosted(cli, world, wish.paths, pid, start);
};
