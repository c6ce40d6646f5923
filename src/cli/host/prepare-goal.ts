import { type FoundAgent, findAgents, lackOf } from '../agents/found-agents.ts';
import { type Cli, usage } from '../cli.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { startSubjects } from '../trust/start-subjects.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';
import { checkRunners } from './check-runners.ts';
import type { StartRequest } from './start-request.ts';
import { newSessionPaths } from './wire.ts';

export interface GoalStart {
  readonly workspace: string;
  readonly goal: string;
  readonly mode: OutputMode;
  /** Runs the engine in its own process; this one ends. */
  readonly background?: boolean;
  readonly flags: Flags;
}

/** Checks the settings for a session with a goal; writes nothing. Throws a usage error when the Planner has no agent. */
export const prepareGoal = (cli: Cli, world: World, start: GoalStart): StartRequest => {
  const attended = start.mode === 'screen' || start.mode === 'reader';
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    attended,
    flags: start.flags,
  });
  const planner = settings.roles['planner'] ?? 'script';
  if (planner === 'script')
    throw noAgent(start.flags.agent, findAgents(world, cli.env['PATH'], start.workspace, settings));
  checkRunners(settings, []);
  checkAgents(cli, world, start.workspace, settings);
  const { subjects, agreed } = startSubjects(world, start.workspace, { settings, layers, attended });
  return {
    workspace: start.workspace,
    discovers: true,
    subjects,
    engine: () => ({
      paths: newSessionPaths(cli, world, start.workspace),
      begin: { kind: 'new', goal: start.goal, source: 'goal', settings },
      settings,
      attended,
      ...agreed,
      flags: start.flags,
    }),
  };
};

const noAgent = (agent: string | undefined, agents: readonly FoundAgent[]) => {
  const installed = agents.filter(({ file }) => file !== null);
  const installable = agents.filter(({ profile }) => profile?.install != null);
  const nearest = installable.find(({ ownCli }) => ownCli !== null) ?? installable[0];
  const first = nearest?.profile?.install;
  const none =
    nearest == null || nearest.ownCli === null
      ? 'none is installed'
      : `${nearest.name} is ${lackOf(nearest)}`;
  const another = installed.length > 0 ? `: ${installed.map(({ name }) => name).join(', ')}` : '';
  if (agent === 'script')
    return usage(
      'the script agent cannot turn a goal into a plan',
      `write the steps down and use \`run --plan FILE\`, or name another agent with --agent${another}`,
      'no-agent',
    );
  return usage(
    'a goal without a plan needs an agent with a model',
    installed.length > 0
      ? `name one with --agent${another}`
      : `${none}: install one${first ? `, for example with \`${first.command}\`` : ''}, and name it with --agent; \`ralph-tui doctor\` lists the agents`,
    'no-agent',
  );
};
