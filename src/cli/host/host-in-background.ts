import { basename, join } from 'node:path';
import { wantsWorktrees } from '../../changes/choose-isolation.ts';
import { flowStartSchema } from '../../pipeline/modes/flow/flow-state.ts';
import { workspaceConfigFile } from '../../session/config.io.ts';
import { layerOfPlan } from '../../session/config.ts';
import { sessionPaths } from '../../session/paths.ts';
import { type LoopPreset, withPreset } from '../../session/settings/loop-presets.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import { type Cli, failure, usage, valueOrExit } from '../cli.ts';
import type { Flags } from '../options.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { refuseUnseen } from '../trust/agent-subjects.ts';
import { configSubject } from '../trust/trust-subjects.ts';
import { createWorld, type World } from '../world.ts';
import { prepareResume } from './prepare-resume.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { type EngineRequest, readPlanSource, wireEngine } from './wire.ts';

/** What `hostApart` says about the session. Without a source it is resumed. */
export interface HostOptions {
  readonly source?: string;
  readonly goal?: string;
  readonly loop?: boolean;
  /** What a new flow begins with, as JSON. */
  readonly flow?: string;
  readonly focus?: string;
  readonly preset?: LoopPreset;
  readonly agreed?: string;
  /** Absent: a screen moves its session here, whose agents have loaded these files already. */
  readonly agentFiles?: string;
  readonly flags: Flags;
}

/** Runs the session to its end and returns the exit code. SIGTERM stops the agents, verifies and saves, as on a screen. */
export const hostInBackground = async (
  cli: Cli,
  directory: string,
  options: HostOptions,
): Promise<number> => {
  const world = createWorld();
  const paths = sessionPaths(join(directory, '../..'), basename(directory));
  const request =
    options.source === undefined
      ? prepareResume(cli, world, paths, null, {
          attended: true,
          background: true,
          takeOver: false,
          flags: options.flags,
          ...(options.preset === undefined ? {} : { preset: options.preset }),
        }).engine()
      : options.goal === undefined
        ? newRequest(cli, world, paths, options.source, options.flags)
        : goalRequest(cli, world, paths, options.goal, options);
  // The starting program asked about these bytes. Nobody has seen a later change of the file.
  if ((request.config ?? nothing) !== options.agreed) throw failure(changedMeanwhile(paths));
  if (options.agentFiles !== undefined)
    refuseUnseen(world, paths.workspace, request.settings, options.agentFiles.split(','), request.placing);
  const engine = wireEngine(cli, world, request);
  const release = stopOnSignals(cli, { quit: () => engine.quit('quit') });
  try {
    const fault = await engine.start();
    if (fault) throw failure(fault);
    return (await engine.settled()).exitCode;
  } finally {
    release();
  }
};

const newRequest = (
  cli: Cli,
  world: World,
  paths: EngineRequest['paths'],
  source: string,
  flags: Flags,
): EngineRequest => {
  const plan = readPlanSource(world, paths);
  if (plan === null) throw usage('the session has no plan to start from');
  if (source !== 'plan' && source !== 'repository' && source !== 'demo') throw usage('unknown source');
  const read = valueOrExit(parsePlan(plan.text, plan.file));
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    plan: layerOfPlan(read, plan.file),
    ownPlan: source !== 'demo',
    attended: true,
    background: true,
    flags,
  });
  return {
    paths,
    begin: { kind: 'new', goal: read.goal, source, settings },
    settings,
    worktrees: wantsWorktrees(settings, read.tasks),
    placing: read.tasks,
    attended: true,
    config: configSubject(layers)?.sha256 ?? null,
    agentFiles: [],
    flags,
  };
};

const goalRequest = (
  cli: Cli,
  world: World,
  paths: EngineRequest['paths'],
  goal: string,
  { source, loop, flow, focus, preset, flags }: HostOptions,
): EngineRequest => {
  const { settings: configured, layers } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    attended: true,
    background: true,
    flags,
  });
  const settings = withPreset(configured, preset, configured);
  const looping = {
    ...(loop ? { mode: 'loop' as const } : {}),
    ...(flow === undefined ? {} : { mode: 'flow' as const, flow: flowStartSchema.parse(JSON.parse(flow)) }),
    ...(focus === undefined ? {} : { focus }),
    ...(preset === undefined ? {} : { preset }),
  };
  return {
    paths,
    begin: { kind: 'new', goal, source: source === 'demo' ? source : 'goal', settings, ...looping },
    settings,
    attended: true,
    config: configSubject(layers)?.sha256 ?? null,
    agentFiles: [],
    flags,
  };
};

/** Stands for a configuration that needs no consent. */
const nothing = 'nothing';

const changedMeanwhile = (paths: EngineRequest['paths']) => ({
  code: 'needs-yes',
  what: 'has changed since it was accepted',
  where: workspaceConfigFile(paths.workspace),
  hint: `run \`ralph-tui resume ${paths.session}\` in a terminal to review and accept it`,
});
