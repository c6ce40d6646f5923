import { wantsWorktrees } from '../../changes/choose-isolation.ts';
import type { EngineOptions } from '../../engine/engine.ts';
import { layerOfPlan } from '../../session/config.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import { type Cli, valueOrExit } from '../cli.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { startSubjects } from '../trust/start-subjects.ts';
import { planSubject, type Subject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';
import { checkRunners } from './check-runners.ts';
import { expectLargePlan, largePlan } from './keep-memory-small.ts';
import type { StartRequest } from './start-request.ts';
import { newSessionPaths } from './wire.ts';

export interface PlanStart {
  readonly workspace: string;
  /** For error messages. */
  readonly file: string;
  readonly text: string;
  readonly source: Extract<EngineOptions['begin'], { kind: 'new' }>['source'];
  /** Asked about instead of the plan itself: discovered checks are in other files. */
  readonly subject?: Subject;
  readonly mode: OutputMode;
  /** Completes the workspace before the engine starts. */
  readonly prepared?: () => Promise<unknown>;
  /** Runs the engine in its own process; this one ends. */
  readonly background?: boolean;
  readonly flags?: Flags;
}

/** A plan with the settings that hold for it. Any fault ends the program. */
export const readPlan = (cli: Cli, world: World, start: PlanStart) => {
  const plan = valueOrExit(parsePlan(start.text, start.file));
  const attended = start.mode === 'screen' || start.mode === 'reader';
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    plan: layerOfPlan(plan, start.file),
    ownPlan: start.source !== 'demo',
    attended,
    ...(start.flags ? { flags: start.flags } : {}),
  });
  return { plan, attended, settings, layers };
};

/** Checks a plan and its settings; writes nothing. */
export const preparePlan = (cli: Cli, world: World, start: PlanStart): StartRequest => {
  if (start.text.length >= largePlan) expectLargePlan();
  const { plan, attended, settings, layers } = readPlan(cli, world, start);
  checkRunners(settings, plan.tasks);
  checkAgents(cli, world, start.workspace, settings, plan.tasks);
  const own = layers.filter(({ name }) => name === 'plan');
  const { subjects, agreed } = startSubjects(
    world,
    start.workspace,
    { settings, layers, attended },
    plan.tasks,
  );
  const planned = start.subject ?? planSubject(start.workspace, start.file, start.text, plan, own);
  return {
    workspace: start.workspace,
    discovers: [...Object.values(settings.roles), ...plan.tasks.map(({ agent }) => agent)].some(
      (agent) => agent !== undefined && agent !== 'script',
    ),
    // The sample is ours, in a folder that was just made for it.
    subjects: start.source === 'demo' ? [] : [planned, ...subjects],
    engine: () => ({
      paths: newSessionPaths(cli, world, start.workspace),
      begin: { kind: 'new', goal: plan.goal, source: start.source, settings },
      settings,
      worktrees: wantsWorktrees(settings, plan.tasks),
      placing: plan.tasks,
      attended,
      planSource: start.text,
      plan: { goal: plan.goal, tasks: plan.tasks },
      ...(start.prepared ? { prepared: start.prepared } : {}),
      ...agreed,
      flags: start.flags ?? {},
    }),
  };
};
