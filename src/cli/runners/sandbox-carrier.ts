import { dirname, join } from 'node:path';
import { agentVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { fenceProfiles } from '../../agents/backends/acp/fences.ts';
import { acpAgentSchema } from '../../agents/backends/acp/profile.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import { findProgram, isProgramThere } from '../../base/process/find-program.ts';
import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createSandboxCarrier } from '../../runners/carriers/sandbox.io.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { knownAgents, usedAgents } from '../session/known-agents.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** A fence for the agents of these settings: their logins, their models' machines, and their programs come in, and nothing else of this account. */
export const sandboxCarrier = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Pick<Settings, 'agents' | 'roles'>,
  name: string,
  { network, hosts }: Extract<RunnerSettings, { sandbox: string }>,
): Carrier => {
  const used = usedAgents(settings);
  const agents = knownAgents(settings).filter(
    (agent) => used.has(agent.name) || Object.hasOwn(settings.agents, agent.name),
  );
  const fences = agents.flatMap((agent) => fenceProfiles[profileName(settings, agent.name)] ?? []);
  const { HOME: home = '/nonexistent', ...inherited } = childEnvironment(cli.env);
  const variables = agents.flatMap(({ profile }) =>
    profile === null
      ? []
      : Object.entries(agentVariables({ ...profile, env: {}, envDefaults: {}, jsonEnv: {} }, cli.env)),
  );
  const env = { ...kept(inherited), ...Object.fromEntries(variables) };
  return createSandboxCarrier(
    { spawn: world.spawn, clock: world.clock, directory: join(stateDirectory(cli.env), 'fences') },
    {
      name,
      node: process.execPath,
      program: dirname(process.argv[1] ?? ''),
      tools: toolsOf(
        cli,
        world,
        agents.map(({ program }) => program),
      ),
      network,
      home,
      logins: fences.flatMap(({ logins }) => logins),
      hosts: [...fences.flatMap((fence) => fence.hosts), ...hosts],
      env,
    },
  );
};

/** An agent of the configuration may be a built-in one under another name. */
const profileName = ({ agents }: Pick<Settings, 'agents'>, name: string): string => {
  const entry = acpAgentSchema.safeParse(Object.hasOwn(agents, name) ? agents[name] : undefined);
  return (entry.success ? entry.data.profile : undefined) ?? name;
};

/** Variables about this account's directories, sockets and proxies mean nothing inside. */
const kept = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI)$/u.test(name),
    ),
  );

/** The directories above `bin/` of agents' programs that lie outside the system's own, as with nvm. */
const toolsOf = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  { disk }: World,
  programs: readonly string[],
): readonly string[] => {
  const found = programs.flatMap(
    (program) => findProgram(program, cli.cwd, cli.env['PATH'], isProgramThere(disk)) ?? [],
  );
  const places = found
    .map((file) => dirname(dirname(file)))
    .filter((path) => path !== '/' && !/^\/(?:usr|bin|sbin|opt|nix)(?:\/|$)/u.test(path));
  // The home itself never comes in, and neither does a directory that holds it.
  const home = `${cli.env['HOME'] ?? '/nonexistent'}/`;
  return [...new Set(places)].filter((path) => !home.startsWith(`${path}/`));
};
