import { configuredPlaces } from '../../pipeline/agents/placement.ts';
import type { Settings } from '../../session/settings.ts';
import { here, type TaskDefinition } from '../../tasks/task.ts';
import { type FoundAgent, findAgents, lackOf, printModeWords } from '../agents/found-agents.ts';
import { agentProblem, fallbackProblem, usedAgents } from '../agents/known-agents.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import type { World } from '../world.ts';

type Named = Pick<Settings, 'agents' | 'roles' | 'limits' | 'on'>;
type Placed = Pick<TaskDefinition, 'agent' | 'on'>;

/**
 * Checks the agents that have a role, or a task of their own, before a session begins; ends the program with exit 2 when one cannot be used.
 * A name that nobody knows is refused with the configuration.
 */
export const checkAgents = (
  cli: Cli,
  world: World,
  workspace: string,
  settings: Named,
  tasks: readonly Placed[] = [],
): void => {
  const needed = usedAgents(settings, tasks);
  refuseWrong(settings, needed);
  const agents = findAgents(world, cli.env['PATH'], workspace, settings).filter(({ name }) =>
    needed.has(name),
  );
  const near = neededHere(settings, tasks);
  refuseAbsent(agents.filter(({ name }) => near.has(name)));
  refuseUncounted(agents, settings);
  notePrintModes(cli, agents);
};

/** Said once, before the start: what is lost without an adapter. */
const notePrintModes = (cli: Cli, agents: readonly FoundAgent[]): void => {
  for (const agent of agents) {
    const lacks = printModeWords(agent);
    if (lacks !== null) cli.note(`${agent.adapter?.label} works in its print mode: ${lacks}.`);
  }
};

/** Those that may work on this machine. `readyRunners` looks for the others where they work. */
const neededHere = (settings: Named, tasks: readonly Placed[]): ReadonlySet<string> => {
  const { executor = 'script', ...roles } = settings.roles;
  const works = (tasks.length === 0 ? [{}] : tasks).flatMap((task: Placed) => {
    const agent = task.agent ?? executor;
    const places = configuredPlaces(settings, { mode: 'IMPLEMENT', task, backend: agent });
    return places.includes(here) ? [{ agent }] : [];
  });
  return usedAgents({ ...settings, roles }, works);
};

/** An entry of a wrong form is no agent: each call would fail. A fallback that nobody knows would only be missed when the quota is used up. */
const refuseWrong = (settings: Named, needed: ReadonlySet<string>): void => {
  const entries = [...needed].map((name) => agentProblem(name, settings.agents[name]));
  const fallbacks = [...needed].map((name) => fallbackProblem(name, settings));
  const problem = [...entries, ...fallbacks].find((fault) => fault !== null);
  if (problem) throw new Exit(exitCodes.usage, problem);
};

/** The program of each must be there. The hint says how to install it. */
const refuseAbsent = (agents: readonly FoundAgent[]): void => {
  const absent = agents.find(({ file }) => file === null);
  if (absent === undefined) return;
  const { name, program, profile } = absent;
  const install = profile?.install ?? null;
  const label = profile?.label ?? name;
  throw new Exit(
    exitCodes.usage,
    {
      code: 'agent-not-found',
      what: `${label} is ${lackOf(absent)}: ${program} was not found`,
      where: name,
      hint:
        install === null
          ? `put \`${program}\` on the PATH, or name its path in agents.${name}.command`
          : `install it with \`${install.command}\` (about ${install.megabytes} MB)`,
    },
    [],
    install === null ? null : { label, ...install },
  );
};

/** With a limit of cost or tokens each must report these: a limit that nobody counts would only seem to hold. */
const refuseUncounted = (agents: readonly FoundAgent[], { limits }: Named): void => {
  for (const limit of ['max_cost', 'max_tokens'] as const) {
    const silent = agents.find(({ uncounted }) => limits[limit] !== null && uncounted.includes(limit));
    if (silent === undefined) continue;
    const { name, profile, program, uncounted } = silent;
    const others = ['max_cost', 'max_tokens', 'max_duration', 'max_attempts_total'].flatMap((other) =>
      uncounted.some((known) => known === other) || other === limit ? [] : [`limits.${other}`],
    );
    throw new Exit(exitCodes.usage, {
      code: `${what[limit]}-not-reported`,
      what: `limits.${limit} cannot be applied to ${profile?.label ?? program}: it does not report its ${what[limit]}`,
      where: name,
      hint: `use ${others.slice(0, -1).join(', ')} or ${others.at(-1)} instead`,
    });
  }
};

const what = { max_cost: 'cost', max_tokens: 'tokens' } as const;
