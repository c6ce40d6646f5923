import { basename, join } from 'node:path';
import { sessionPaths } from '../session/paths.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import { type Cli, failure, usage, valueOrExit } from './cli.ts';
import { stopOnSignals } from './hosting.ts';
import { loadConfiguration } from './load-settings.ts';
import { resumeWish } from './resume-wish.ts';
import { type EngineWish, readPlanSource, wireEngine } from './wire.ts';
import { createWorld, type World } from './world.ts';

/** A gate waits a day for somebody to attach, then it is carried forward: nobody sits before this process. */
const patienceMs = 24 * 60 * 60_000;

/** Runs the session to its end; gives the exit code. SIGTERM stops the agents, verifies and saves, as on a screen. */
export const hostInBackground = async (
  cli: Cli,
  directory: string,
  options: { readonly source?: string; readonly permissions?: string },
): Promise<number> => {
  const world = createWorld();
  const paths = sessionPaths(join(directory, '../..'), basename(directory));
  const wish =
    options.source === undefined
      ? resumeWish(cli, world, paths, { attended: true, takeOver: false })
      : newWish(cli, world, paths, options.source, options.permissions);
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
  permissions: string | undefined,
): EngineWish => {
  const plan = readPlanSource(world, paths);
  if (plan === null) throw usage('the session has no plan to start with');
  if (source !== 'plan' && source !== 'repository' && source !== 'demo') throw usage('unknown source');
  const { goal } = valueOrExit(parsePlan(plan.text, plan.file));
  const { settings } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    plan,
    attended: true,
    ...(permissions === undefined ? {} : { flags: { permissions } }),
  });
  return { paths, begin: { kind: 'new', goal, source, settings }, settings, attended: true };
};

const patient = (wish: EngineWish): EngineWish => {
  const { knowledge } = wish.settings;
  const settings = {
    ...wish.settings,
    knowledge: { ...knowledge, approval_timeout: knowledge.approval_timeout ?? patienceMs },
  };
  return { ...wish, settings, begin: { ...wish.begin, settings } };
};
