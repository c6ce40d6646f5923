import { basename } from 'node:path';
import type { AgentOffer } from '../../../components/start/start-list.ts';
import { findTyped, isProgramThere } from '../../base/process/find-program.ts';
import { ownPath } from '../../base/process/own-program.io.ts';
import { packageVersion } from '../../base/process/package-version.io.ts';
import { safe } from '../../base/safe.ts';
import type { Settings } from '../../session/settings.ts';
import type { World } from '../world.ts';
import { agentProblem, type KnownAgent, knownAgents } from './known-agents.ts';

/** An agent with the facts that are known without starting it. */
export interface FoundAgent extends KnownAgent {
  /** Path of its program; `null` when it is not installed. */
  readonly file: string | null;
  /** Path of the agent's own command line, where the program is only its adapter: the agent is there without it. */
  readonly ownCli: string | null;
  /** Version of the package its program belongs to; `null` without a package, and where the program only runs the agent. */
  readonly version: string | null;
}

/** Looks for the programs of all known agents on the PATH; starts none. */
export const findAgents = (
  world: World,
  path: string | undefined,
  workspace: string,
  settings: Pick<Settings, 'agents' | 'roles'>,
): readonly FoundAgent[] => {
  const isThere = isProgramThere(world.disk);
  const own = ownPath(path, [workspace]);
  return knownAgents(settings).map((agent) => {
    const file = findTyped(agent.program, workspace, own, isThere);
    const isItself = !launchers.has(basename(agent.program));
    const cli = agent.profile?.ownCli?.program;
    const ownCli = cli === undefined ? null : findTyped(cli, workspace, own, isThere);
    return { ...agent, file, ownCli, version: file !== null && isItself ? packageVersion(file) : null };
  });
};

/** Programs that come in a package and run the agent from another file or package. */
const launchers: ReadonlySet<string> = new Set([
  ...['node', 'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg'],
  ...['bun', 'bunx', 'deno', 'tsx', 'ts-node'],
]);

/** `Gemini CLI 0.61.0, login: not checked, in /usr/bin/gemini`, or how to install it. */
export const agentWords = (agent: FoundAgent): string => {
  const { profile, adapter, program, file, version } = agent;
  const label = adapter === null ? (profile?.label ?? program) : `${adapter.label} in its print mode`;
  if (file === null) return `${label} is ${absence(agent)}`;
  return `${label}${version === null ? '' : ` ${version}`}${(profile ?? adapter) ? ', login: not checked' : ''}, in ${file}`;
};

/** What a print mode lacks, and the adapter that has it. `null` for an agent that lacks nothing. */
export const printModeWords = ({ adapter }: Pick<FoundAgent, 'adapter'>): string | null => {
  if (adapter === null) return null;
  const { install } = adapter;
  const more =
    install === null ? '' : `; its adapter changes that: ${install.command} (about ${install.megabytes} MB)`;
  return `a message reaches it only after its reply, and it asks for no permission: without \`permissions\` it edits files${more}`;
};

/** What an agent without its program is: not there, or there without the adapter that speaks to it. */
export const lackOf = ({ ownCli }: Pick<FoundAgent, 'ownCli'>): string =>
  ownCli === null ? 'not installed' : `found in ${safe(ownCli)}, adapter missing`;

/** `not installed: npm install … (about 96 MB)`, or `found, adapter missing: npm install …`. */
const absence = (agent: FoundAgent): string => {
  const install = agent.profile?.install ?? null;
  return install === null
    ? `${lackOf(agent)}: ${agent.program} was not found`
    : `${lackOf(agent)}: ${install.command} (about ${install.megabytes} MB)`;
};

/**
 * The agents for the start screen: those that can be used, then those that cannot, with the reason. Leaves out those that nobody configured and that
 * have no package to install.
 */
export const agentOffers = (
  agents: readonly FoundAgent[],
  settings: Pick<Settings, 'agents'>,
): readonly AgentOffer[] => {
  const offers = agents
    .filter(
      ({ name, file, profile }) =>
        file !== null || profile?.install != null || Object.hasOwn(settings.agents, name),
    )
    .map((agent): AgentOffer & Pick<FoundAgent, 'roles'> => ({
      name: safe(agent.name),
      about: agent.file === null ? '' : safe(agentWords(agent)),
      problem: agent.file === null ? safe(absence(agent)) : null,
      roles: agent.roles,
      ...installOf(agent),
    }));
  const wrong = Object.entries(settings.agents).flatMap(([name, entry]): readonly AgentOffer[] => {
    const problem = agentProblem(name, entry);
    return problem === null ? [] : [{ name: safe(name), about: '', problem: safe(problem.what) }];
  });
  const usable = offers.filter(({ problem }) => problem === null);
  // The Planner reads the goal: an agent that the configuration gives this role comes first.
  const first = usable.filter(({ roles }) => roles.includes('planner'));
  return [
    ...first,
    ...usable.filter((offer) => !first.includes(offer)),
    ...offers.filter(({ problem }) => problem !== null),
  ]
    .map(({ roles: _roles, ...offer }): AgentOffer => offer)
    .concat(wrong);
};

const installOf = ({ file, profile }: FoundAgent): Pick<AgentOffer, 'install'> =>
  file === null && profile?.install ? { install: { label: safe(profile.label), ...profile.install } } : {};
