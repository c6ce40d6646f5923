import { type Cli, type Subcommand, usage } from '../cli.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';
import type { PlanStart } from '../start-plan.ts';

interface Options extends Flags {
  readonly plan?: string;
  readonly agent?: string;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly background?: boolean;
}

/** `ralph-tui run [GOAL]`: starts a session from a plan, or from what the repository itself offers. */
export const run: Subcommand = (program, cli) => {
  withFlags(
    program
      .command('run')
      .summary('start a session')
      .description(
        'Start a session: from a plan file, or without one from the checks this repository offers. What would run is shown and asked about, once for these very files.',
      )
      .argument('[goal]', 'what to reach; needs --agent')
      .option('--plan <file>', 'a plan in YAML or JSON')
      .option('--agent <name>', 'who does the work; `script` runs the commands of a plan'),
  )
    .option('--headless', 'the plain log, also on a terminal')
    .option('--screen-reader', 'lines to listen to, and words to type, instead of the screen')
    .option('--json', 'one event a line')
    .option('--yes', 'trust what would run, without being asked')
    .option('--background', 'leave the engine running in the background')
    .action(
      cli.does(async (goal: string | undefined, options: Options) => {
        const { createWorld } = await import('../world.ts');
        if (options.agent !== undefined && options.agent !== 'script') await refuseAgent(cli, options.agent);
        refuse(goal, options);
        const { outputMode } = await import('../hosting.ts');
        const { mannerOf } = await import('../agree-to.ts');
        const { startPlan } = await import('../start-plan.ts');
        const world = createWorld();
        const mode = outputMode(cli, options);
        const start = {
          workspace: cli.cwd,
          ...(await choosePlan(cli, options)),
          mode,
          background: options.background === true,
          flags: flagsOf(options),
        };
        return startPlan(cli, world, start, mannerOf(cli, mode, options));
      }),
    );
};

/** An agent of the configuration works where a role is given to it, and that is said here; any other name is nobody's. */
const refuseAgent = async (cli: Cli, name: string): Promise<never> => {
  const { findLayers } = await import('../load-settings.ts');
  const { resolveSettings } = await import('../../session/config.ts');
  const { knownAgents } = await import('../known-agents.ts');
  const { createWorld } = await import('../world.ts');
  const { layers } = findLayers(cli, createWorld(), { workspace: cli.cwd, attended: cli.hasScreen });
  const known = knownAgents(resolveSettings(layers).settings).map((agent) => agent.name);
  throw known.includes(name)
    ? usage(
        `"${name}" is an agent of the configuration, and works where a role is given to it`,
        `write \`roles: {executor: ${name}}\` there and run the plan without --agent`,
      )
    : usage(
        `unknown agent "${name}"`,
        `known are: ${['script, which runs the commands of a plan', ...known].join(', ')}`,
      );
};

/** What cannot be done yet, or not without being told by whom, is said before anything is written. */
const refuse = (goal: string | undefined, options: Options): void => {
  if (goal === undefined) return;
  if (options.plan !== undefined)
    throw usage('a goal and a plan were given', 'the plan names its own goal: leave one of them out');
  throw usage(
    options.agent === 'script'
      ? 'the script agent cannot work out a goal by itself'
      : 'no agent was chosen for this goal',
    options.agent === 'script'
      ? 'write the steps down and use `run --plan FILE`'
      : 'name one with --agent; known are: script, which runs plans with `run --plan FILE`',
    'no-agent',
  );
};

const choosePlan = async (
  cli: Cli,
  options: Options,
): Promise<Pick<PlanStart, 'file' | 'text' | 'source' | 'subject'>> => {
  if (options.plan !== undefined) {
    const { readPlanFile } = await import('../plan-source.ts');
    return { file: options.plan, text: readPlanFile(cli, options.plan), source: 'plan' };
  }
  const { createDisk } = await import('../../base/disk.io.ts');
  const { discoverChecks } = await import('../discover-plan.ts');
  return discoverChecks(createDisk(), cli.cwd);
};
