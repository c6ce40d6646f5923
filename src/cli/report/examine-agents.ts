import { join } from 'node:path';
import { withheldVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { readText } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { resolveSettings } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import { agentWords, type FoundAgent, findAgents, printModeWords } from '../agents/found-agents.ts';
import { unknownRoles } from '../agents/known-agents.ts';
import type { Cli } from '../cli.ts';
import { codexHome, displacesTools } from '../codex-home.ts';
import { findLayers } from '../settings/load-settings.ts';
import type { World } from '../world.ts';
import { bad, type Finding, good } from './finding.ts';

/** Which agents can be started: a row for all, and one for each that is there, configured, or can be installed. */
export const examineAgents = (cli: Cli, world: World, workspace: string): readonly Finding[] => {
  const { layers } = findLayers(cli, world, { workspace, attended: cli.hasPerson });
  const { settings } = resolveSettings(layers);
  const agents = findAgents(world, cli.env['PATH'], workspace, settings);
  return [
    summary(agents, settings),
    ...agents
      .filter((agent) => agent.file !== null || agent.profile?.install != null || isWanted(agent, settings))
      .map((agent) => rowOf(cli, world, agent, settings)),
  ];
};

/** An agent that neither a role nor the configuration names need not be installed. */
const isWanted = ({ name, roles }: FoundAgent, { agents }: Settings): boolean =>
  roles.length > 0 || Object.hasOwn(agents, name);

const summary = (agents: readonly FoundAgent[], settings: Settings): Finding => {
  const there = agents.filter(({ file }) => file !== null).map(({ name }) => safe(name));
  const found = ['script (runs the commands of plans)', ...there].join(' · ');
  const [lost] = unknownRoles(settings);
  return lost === undefined
    ? good('agents', found, noAgentHint(agents))
    : bad(
        'agents',
        found,
        `roles.${lost} names an unknown agent`,
        'name one of these, or add it under agents',
      );
};

const codexFile = (cli: Cli): string => join(codexHome(cli), 'config.toml');

const codexSettings = (cli: Cli, { disk }: World): string => {
  try {
    return readText(disk, codexFile(cli), 4 * 1024 * 1024) ?? '';
  } catch {
    // Codex itself says what is wrong with a file that cannot be read.
    return '';
  }
};

const rowOf = (cli: Cli, world: World, agent: FoundAgent, settings: Settings): Finding => {
  const check = `agent ${safe(agent.name)}`;
  const { file, profile, program } = agent;
  if (file !== null && agent.name === 'codex' && displacesTools(codexSettings(cli, world)))
    return bad(
      check,
      agentWords(agent),
      `[mcp_servers.ralph] in ${safe(codexFile(cli))} displaces the tools that a session gives to Codex`,
      'rename that table to [mcp_servers.ralph-tui], which is what `ralph-tui init --codex` writes',
    );
  if (file !== null)
    return good(check, `${agentWords(agent)}${moreAbout(cli, agent)}`, printModeWords(agent));
  if (isWanted(agent, settings))
    return bad(
      check,
      agentWords(agent),
      `${program} (agents.${agent.name}) was not found`,
      profile?.install
        ? `install ${agent.ownCli === null ? 'it' : 'its adapter'}: ${profile.install.command}`
        : 'install it, or change its command in the configuration',
    );
  return good(check, agentWords(agent), 'needed only if it is to work on goals or issues');
};

const moreAbout = (cli: Cli, { roles, profile }: FoundAgent): string => {
  const kept = profile ? withheldVariables(profile, cli.env) : [];
  return `${roles.length === 0 ? '' : `; ${roles.join(', ')}`}${kept.length === 0 ? '' : `; not passed: ${kept.map(safe).join(', ')}`}`;
};

/** Without an agent only commands run. `null`: there is one. */
const noAgentHint = (agents: readonly FoundAgent[]): string | null => {
  if (agents.some(({ file }) => file !== null)) return null;
  const nearest = agents.find(({ ownCli }) => ownCli !== null);
  const install = nearest?.profile?.install;
  return install == null
    ? 'no agent is installed, so only the commands of plans can run; install one of these for goals and issues'
    : `no agent can be started, so only the commands of plans can run; ${nearest?.name} needs its adapter: ${install.command}`;
};
