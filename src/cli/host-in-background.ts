import { basename, join } from 'node:path';
import { workspaceConfigFile } from '../session/config.io.ts';
import { layerOfPlan } from '../session/config.ts';
import { sessionPaths } from '../session/paths.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import { type Cli, failure, usage, valueOrExit } from './cli.ts';
import { stopOnSignals } from './hosting.ts';
import { loadConfiguration } from './load-settings.ts';
import type { Flags } from './options.ts';
import { prepareResume } from './prepare-resume.ts';
import { configSubject } from './trust-subjects.ts';
import { type EngineWish, readPlanSource, wireEngine } from './wire.ts';
import { createWorld, type World } from './world.ts';

/** A gate waits a day for somebody to attach, then it is carried forward: nobody sits before this process. */
const patienceMs = 24 * 60 * 60_000;

/** Runs the session to its end; gives the exit code. SIGTERM stops the agents, verifies and saves, as on a screen. */
export const hostInBackground = async (
  cli: Cli,
  directory: string,
  options: { readonly source?: string; readonly agreed?: string; readonly flags: Flags },
): Promise<number> => {
  const world = createWorld();
  const paths = sessionPaths(join(directory, '../..'), basename(directory));
  const wish =
    options.source === undefined
      ? prepareResume(cli, world, paths, null, {
          attended: true,
          takeOver: false,
          flags: options.flags,
        }).wish()
      : newWish(cli, world, paths, options.source, options.flags);
  // Whoever started this asked about what would run; what came into the file since then nobody has seen.
  if ((wish.config ?? nothing) !== options.agreed) throw failure(changedMeanwhile(paths));
  const engine = wireEngine(cli, world, patient(wish));
  const ignore = stopOnSignals(cli, { quit: () => engine.quit('quit') });
  try {
    const fault = await engine.start();
    if (fault) throw failure(fault);
    return (await engine.settled()).exitCode;
  } finally {
    ignore();
  }
};

const newWish = (
  cli: Cli,
  world: World,
  paths: EngineWish['paths'],
  source: string,
  flags: Flags,
): EngineWish => {
  const plan = readPlanSource(world, paths);
  if (plan === null) throw usage('the session has no plan to start with');
  if (source !== 'plan' && source !== 'repository' && source !== 'demo') throw usage('unknown source');
  const read = valueOrExit(parsePlan(plan.text, plan.file));
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    plan: layerOfPlan(read, plan.file),
    attended: true,
    flags,
  });
  return {
    paths,
    begin: { kind: 'new', goal: read.goal, source, settings },
    settings,
    attended: true,
    config: configSubject(layers)?.sha256 ?? null,
    flags,
  };
};

/** Stands for no configuration that had to be agreed to. */
const nothing = 'nothing';

const changedMeanwhile = (paths: EngineWish['paths']) => ({
  code: 'needs-yes',
  what: 'it changed since it was agreed to',
  where: workspaceConfigFile(paths.workspace),
  mend: `\`ralph-tui resume ${paths.session}\` in a terminal shows it and asks`,
});

const patient = (wish: EngineWish): EngineWish => {
  const { knowledge } = wish.settings;
  const settings = {
    ...wish.settings,
    knowledge: { ...knowledge, approval_timeout: knowledge.approval_timeout ?? patienceMs },
  };
  return { ...wish, settings, begin: { ...wish.begin, settings } };
};
